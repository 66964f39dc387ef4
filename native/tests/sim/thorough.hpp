// How many worlds a claim is tried in: few in `make test`, all in `make test-long`, which sets ICTUS_THOROUGH.
#pragma once

#include <cstdlib>

inline bool thorough() { return std::getenv("ICTUS_THOROUGH") != nullptr; }

// What most tests without MPI read of the standard library, precompiled, so that it is read once. No header of the core
// is here: its names would meet those of tests that do without it.
#pragma once

#include "check.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <memory_resource>
#include <numbers>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string_view>
#include <utility>

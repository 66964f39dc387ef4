// Which communicators a process synchronisation can stand in for.
#pragma once

#include "preload/settings.hpp"

#include <mpi.h>

namespace ictus::preload {

/// Local, and the same on all processes of `comm`. Not: between two groups, which have no common start; beyond
/// MPI_COMM_WORLD, where processes may not be loaded with this library; and where the procsync wants more ranks.
[[nodiscard]] bool is_within_reach(MPI_Comm comm, const Settings& settings);

} // namespace ictus::preload

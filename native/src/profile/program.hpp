// What is counted of the program, and the clock of it.
#pragma once

#include "interposition/functions.hpp"
#include "profile/handles.hpp"
#include "profile/started.hpp"

#include <atomic>
#include <string>

namespace ictus::profile {

/// Never freed: threads may still count while the program ends.
struct Profile {
    Profile(const std::string& path, const ProcessFacts& facts, MPI_Group world)
        : counters(path, facts), handles(counters, world) {}
    Counters counters;
    Handles handles;
    StartedCalls started;
};

/// Null: calls do not count now, not before MPI_Init or a session and not after its end.
extern std::atomic<Profile*> current;

/// The clock of all times; only while calls count.
[[nodiscard]] Ticks now() noexcept;

} // namespace ictus::profile

// Family scheme: how calls follow each other and are timed.
#pragma once

#include "base/registry.hpp"
#include "base/time.hpp"
#include "clock/clock.hpp"
#include "procsync/procsync.hpp"
#include "workload/cache.hpp"
#include "workload/operation/operation.hpp"

#include <span>
#include <string>

namespace ictus {

struct SchemeContext {
    Transport& transport;
    Clock& clock;
    ProcSync& procsync;
    CacheMode& cache;
    const RootRotation& rotation; ///< whose call it is in which repetition, chosen outside of what is timed
    std::string title;            ///< of the operation, for messages
};

class Scheme {
public:
    virtual ~Scheme() = default;
    /// Collective: fills one stamp after the other, those of the repetitions from `first` on, and returns how many:
    /// fewer than there are only where the process synchronisation has ended the case. Throws what MPI returned if a
    /// call failed.
    virtual std::size_t measure(const SchemeContext& context, std::uint64_t first, std::span<Stamp> stamps) = 0;
    /// Calls from a stamp's start to its end. The time per call is recorded.
    [[nodiscard]] virtual std::uint64_t calls() const { return 1; }
};

using SchemeMember = Member<Scheme>;

namespace scheme {
[[nodiscard]] const Registry<Scheme>& registry();
[[nodiscard]] const FamilyInfo& family();
} // namespace scheme

} // namespace ictus

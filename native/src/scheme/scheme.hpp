// Family scheme: how calls are strung together and timed.
#pragma once

#include "cache/cache.hpp"
#include "clock/clock.hpp"
#include "core/registry.hpp"
#include "measure/stamp.hpp"
#include "operation/operation.hpp"
#include "procsync/procsync.hpp"

#include <span>

namespace ictus {

struct SchemePlace {
    Clock& clock;
    ProcSync& procsync;
    CacheMode& cache;
    Operation& operation;
};

class Scheme {
public:
    virtual ~Scheme() = default;
    /// Collective: fills one stamp after the other. Throws what MPI returned if a call failed.
    virtual void measure(const SchemePlace& place, std::span<Stamp> stamps) = 0;
};

using SchemeMember = Member<Scheme>;

namespace scheme {
[[nodiscard]] const Registry<Scheme>& registry();
[[nodiscard]] const FamilyInfo& family();
} // namespace scheme

} // namespace ictus

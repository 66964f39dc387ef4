// `propagate`: ranks that read one counter take the root's model as it is; nothing is learnt. That they do read one
// counter is not believed but verified (clocksync/domains): two offsets a rank, `apart` between them. Meant for the
// inside of a host in `hierarchical`. Cost: 4 exchanges + 2 messages a rank and about `apart`, one rank after the
// other.
//
// A rank's bound is the root's and the shortest step of the clock. It is proven only as far as the claim is: what the
// verification cannot see are offsets below half a round trip. It is made again at the end of a block (measure_again):
// a counter that has gone another way meanwhile is measured there, and refused by the next synchronisation.
#include "clocksync/domains.hpp"

#include "base/error.hpp"
#include "clocksync/clocksync.hpp"

namespace ictus {
namespace {

constexpr Parameter propagate_parameters[] = {
    {.name = "exchanges",
     .type = Parameter::Type::count,
     .default_value = "20",
     .help = "round trips of one check that a rank reads the root's counter",
     .minimum = 1,
     .maximum = 1e6},
    {.name = "apart",
     .type = Parameter::Type::duration,
     .default_value = "20ms",
     .help = "time between the two checks, which shows counters of different rates; 0: one check",
     .minimum = 0,
     .maximum = 3600},
};

bool are_one(const Transport& transport, const clocksync::Domains& domains) {
    return domains.members.size() == static_cast<std::size_t>(transport.size());
}

std::string refusal(const Transport& transport, const clocksync::Domains& domains) {
    std::string found;
    for (const std::string& sentence : clocksync::describe_splits(transport, domains)) {
        found += (found.empty() ? "" : "; ") + sentence;
    }
    if (found.empty()) {
        found = "rank " + std::to_string(transport.world_rank(clocksync::all_leaders(transport, domains)[1])) +
                " is not known to read the clock of rank " + std::to_string(transport.world_rank(0)) +
                " (--clock-domain host states it for all ranks of a host)";
    }
    return "clocksync 'propagate' is for ranks that read one clock, but " + found +
           "; such ranks must be synchronised: use hca3 instead, as in --clocksync 'hierarchical(hca3,hca3)'";
}

class Propagate final : public ClockSync {
public:
    explicit Propagate(const Bound& bound)
        : check_{.exchanges = bound.count("exchanges"), .apart_s = bound.real("apart")} {}

    Synchronised synchronise(Transport& transport) override {
        const clocksync::Domains domains = clocksync::find_domains(transport, check_);
        if (!are_one(transport, domains)) {
            throw usage_error(refusal(transport, domains));
        }
        return the_roots(transport);
    }

    /// What each rank has gone astray, measured rank by rank where the counters are no longer one.
    Synchronised measure_again(Transport& modelled) override {
        const clocksync::Domains domains = clocksync::find_domains(modelled, {.exchanges = check_.exchanges});
        return are_one(modelled, domains) ? the_roots(modelled) : ClockSync::measure_again(modelled);
    }

private:
    /// The identity: the root's time is read from the same counter.
    [[nodiscard]] static Synchronised the_roots(Transport& transport) {
        Synchronised own;
        const double step = transport.rank() == 0 ? 0.0 : clocksync::shortest_step(transport);
        own.at = transport.now();
        own.bound = {.at = own.at, .half_width = step};
        return own;
    }

    clocksync::DomainCheck check_;
};

} // namespace

namespace clocksync {
extern const ClockSyncMember propagate;
const ClockSyncMember propagate = {
    {"propagate", "ranks that read one counter (which is verified) take the root's model", "", propagate_parameters},
    [](const Bound& bound) -> std::unique_ptr<ClockSync> { return std::make_unique<Propagate>(bound); }};
} // namespace clocksync

} // namespace ictus

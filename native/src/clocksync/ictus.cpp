// `ictus`: ours. One rank of each verified clock domain takes part. All edges of a tree are measured at the same time
// over the whole span, each by the strip that its exchanges leave; models and bounds travel from the root down; the
// others of a domain take their leader's. 2 fitpoints x exchanges messages an edge, and two more for each rank.
#include "base/error.hpp"
#include "clocksync/domains.hpp"
#include "clocksync/edge_sweeps.hpp"
#include "transport/control.hpp"

namespace ictus {
namespace {

constexpr Parameter ictus_parameters[] = {
    {.name = "fitpoints",
     .type = Parameter::Type::count,
     .default_value = "200",
     .help = "sweeps over all edges of the tree",
     .minimum = 1,
     .maximum = 1e6},
    {.name = "exchanges",
     .type = Parameter::Type::count,
     .default_value = "auto",
     .help = "round trips of an edge in a sweep; auto: as many as fill `share` of the span, 10 where there is none",
     .minimum = 1,
     .maximum = 1e6,
     .allows_auto = true},
    {.name = "share",
     .type = Parameter::Type::real,
     .default_value = "auto",
     .help = "share of the span that exchanges=auto fills; auto: 1 between two ranks, else 0.8, for ranks come late; "
             "each link carries one message at a time",
     .minimum = 0.01,
     .maximum = 1,
     .allows_auto = true},
    {.name = "span",
     .type = Parameter::Type::duration,
     .default_value = "100ms",
     .help = "time over which the sweeps are spread; 0: back to back",
     .minimum = 0,
     .maximum = 3600},
    {.name = "arity",
     .type = Parameter::Type::count,
     .default_value = "auto",
     .help = "children of a rank in the tree; auto: chosen from the number of ranks and the time of an exchange",
     .minimum = 1,
     .maximum = 1e5,
     .allows_auto = true},
    {.name = "slope_test",
     .type = Parameter::Type::flag,
     .default_value = "on",
     .help = "shrink a drift towards 0 by as much of it as may be an error"},
    {.name = "bound",
     .type = Parameter::Type::duration,
     .default_value = "auto",
     .help = "continue until the largest bound of all ranks is below this; auto: stop after `fitpoints` sweeps",
     .minimum = 1e-9,
     .maximum = 1,
     .allows_auto = true},
    {.name = "error",
     .type = Parameter::Type::duration,
     .default_value = "auto",
     .help = "continue until the standard error of every rank's clock, 5 s later, is at most this; auto: stop after "
             "`fitpoints` sweeps",
     .minimum = 1e-9,
     .maximum = 1,
     .allows_auto = true},
    {.name = "limit",
     .type = Parameter::Type::duration,
     .default_value = "10s",
     .help = "with `bound` or `error`: stop after this time in any case",
     .minimum = 0,
     .maximum = 3600},
    {.name = "apart",
     .type = Parameter::Type::duration,
     .default_value = "20ms",
     .help = "time between the two checks that the ranks of a clock domain read one counter; 0: one check",
     .minimum = 0,
     .maximum = 3600},
    asymmetry_parameter,
    deviations_parameter,
    wander_parameter,
};

clocksync::SweepSettings settings_of(const Bound& bound) {
    return {.fitpoints = bound.count("fitpoints"),
            .exchanges = bound.is_auto("exchanges") ? 0 : bound.count("exchanges"),
            .share = bound.is_auto("share") ? 0.0 : bound.real("share"),
            .span_s = bound.real("span"),
            .arity = bound.is_auto("arity") ? 0 : static_cast<int>(bound.count("arity")),
            .slope_test = bound.flag("slope_test"),
            .bound_s = bound.is_auto("bound") ? 0.0 : bound.real("bound"),
            .error_s = bound.is_auto("error") ? 0.0 : bound.real("error"),
            .limit_s = bound.real("limit"),
            .rule = BoundRule(bound)};
}

class Ictus final : public ClockSync {
public:
    explicit Ictus(const Bound& bound) : settings_(settings_of(bound)), check_{.apart_s = bound.real("apart")} {}

    Synchronised synchronise(Transport& transport) override {
        domains_ = clocksync::find_domains(transport, check_);
        if (leads(*domains_, transport)) {
            arity_ = clocksync::find_arity(transport, *domains_, settings_);
        }
        return learn(transport, *domains_, settings_, arity_);
    }

    /// By the domains and the arity as they were found: clocks that are right by now would look like one. A rank whose
    /// counter has gone another way since takes part on its own.
    Synchronised measure_again(Transport& modelled) override {
        if (!domains_) {
            throw measurement_error("clocksync 'ictus' was asked to measure again before it had synchronised");
        }
        clocksync::SweepSettings quick = settings_;
        quick.fitpoints = 5;
        quick.exchanges = 20;
        quick.span_s = 0.0;
        quick.drift_known = true;
        quick.bound_s = 0.0;
        quick.error_s = 0.0;
        const clocksync::Domains now = clocksync::verify_domains(modelled, *domains_, {});
        // A rank that has been led so far knows no arity.
        const int arity = now.splits.empty() ? arity_ : control::broadcast_value(modelled, arity_);
        return learn(modelled, now, quick, arity);
    }

private:
    static bool leads(const clocksync::Domains& domains, const Transport& transport) {
        return domains.leader() == transport.rank();
    }

    static Synchronised learn(Transport& transport, const clocksync::Domains& domains,
                              const clocksync::SweepSettings& settings, int arity) {
        Synchronised own;
        if (leads(domains, transport)) {
            const clocksync::SweepTree tree(transport, domains, arity);
            own = clocksync::EdgeSweeps(transport, tree, settings).learn();
            own.arity = arity;
        }
        return clocksync::share(transport, domains, own);
    }

    std::optional<clocksync::Domains> domains_; ///< of the last synchronisation
    int arity_ = 0;                             ///< likewise; only leaders know it
    clocksync::SweepSettings settings_;
    clocksync::DomainCheck check_;
};

} // namespace

namespace clocksync {
extern const ClockSyncMember ictus;
const ClockSyncMember ictus = {
    {"ictus",
     "all edges of a tree at once, from what their exchanges prove; gives bounds; one rank for each clock takes part",
     "here", ictus_parameters},
    [](const Bound& bound) -> std::unique_ptr<ClockSync> { return std::make_unique<Ictus>(bound); }};
} // namespace clocksync

} // namespace ictus

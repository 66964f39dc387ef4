// `hierarchical`: hosts first, then the ranks of each host, with an algorithm for each level. Hunold and Carpen-Amarie
// 2018 (H2HCA, H3HCA). Two levels: `between` among the first ranks of the hosts, `within` among the ranks of a host.
// Three: `within` is among the first ranks of a host's sockets, `within_socket` among the ranks of a socket; `none`,
// which synchronises nothing anywhere else, says there that there is no third level. The groups of a level run at the
// same time; a group of one has nothing to do. Rounds and cost: the sum over the levels, and a broadcast in each group.
//
// Every level is measured on local clocks and its models are put behind the leader's (clockmath/clock_model, compose),
// which is exact. The papers let a host's leader answer with its global time instead; then `propagate` could not see
// that leader and member read one counter, and each rank would learn anew, with noise, a slope that is 0 inside a host.
#include "base/error.hpp"
#include "clocksync/domains.hpp"
#include "clocksync/tree_walks.hpp"
#include "transport/control.hpp"
#include "transport/sub_transport.hpp"

#include <algorithm>

namespace ictus {
namespace {

constexpr Parameter hierarchical_parameters[] = {
    {.name = "between",
     .type = Parameter::Type::member,
     .default_value = "hca3",
     .help = "among the first ranks of the hosts",
     .family = &clocksync::family},
    {.name = "within",
     .type = Parameter::Type::member,
     .default_value = "propagate",
     .help = "among the ranks of a host; with a third level, among the first ranks of its sockets",
     .family = &clocksync::family},
    {.name = "within_socket",
     .type = Parameter::Type::member,
     .default_value = "none",
     .help = "among the ranks of a socket; none: there is no third level",
     .family = &clocksync::family},
};

class Hierarchical final : public ClockSync {
public:
    explicit Hierarchical(const Bound& bound) {
        for (const std::string level : {"between", "within", "within_socket"}) {
            auto member = clocksync::registry().make(bound.member(level));
            const std::string where = "clocksync 'hierarchical', parameter '" + level + "': '";
            if (!member->interpolates()) {
                throw PlanError(where + "extrapolate' is of all ranks; use extrapolate(hierarchical(...))");
            }
            if (member->synchronises()) {
                levels_.push_back(std::move(member));
            } else if (level != "within_socket") {
                throw PlanError(where + std::string(bound.member(level).info().name) +
                                "' would leave its ranks without a global time; only 'within_socket' may be 'none'");
            }
        }
    }

    Synchronised synchronise(Transport& transport) override {
        return through_levels(transport, &ClockSync::synchronise);
    }

    /// Level by level too: ranks that share a counter keep one model, and noise does not separate them.
    Synchronised measure_again(Transport& modelled) override {
        return through_levels(modelled, &ClockSync::measure_again);
    }

private:
    using Measure = Synchronised (ClockSync::*)(Transport&);

    [[nodiscard]] Synchronised through_levels(Transport& transport, Measure measure) {
        Synchronised own = clocksync::root_of(transport);
        for (std::size_t level = 0; level < levels_.size(); ++level) {
            std::vector<int> among = leaders(transport.locations(), level, transport.rank());
            if (among.size() > 1) {
                SubTransport part(transport, std::move(among));
                const Synchronised edge = (*levels_[level].*measure)(part);
                const Synchronised leader = control::broadcast_value(part, own);
                const int n_contradicted = std::max(own.n_contradicted, edge.n_contradicted);
                own = part.rank() == 0 ? own : clocksync::continued(leader, edge);
                own.n_contradicted = n_contradicted;
            }
        }
        return own;
    }

    /// Names the group of a rank inside which a level synchronises: all ranks, then their host, then their socket.
    /// After the last level each rank is a group of its own.
    [[nodiscard]] std::int64_t group(std::span<const RankLocation> locations, std::size_t level,
                                     std::size_t rank) const {
        const RankLocation& location = locations[rank];
        const std::int64_t host = std::int64_t{location.host} << 32;
        return level == 0                ? 0
               : level == levels_.size() ? static_cast<std::int64_t>(rank)
               : level == 1              ? host
                                         : host + location.socket;
    }

    /// The first ranks of the next level's groups that lie in the rank's group; empty where the rank is none of them,
    /// so that it holds no list.
    [[nodiscard]] std::vector<int> leaders(std::span<const RankLocation> locations, std::size_t level, int rank) const {
        const auto own = static_cast<std::size_t>(rank);
        for (std::size_t before = 0; before < own; ++before) {
            if (group(locations, level + 1, before) == group(locations, level + 1, own)) {
                return {};
            }
        }
        std::vector<int> first;
        std::vector<std::int64_t> seen; // ascending
        for (std::size_t other = 0; other < locations.size(); ++other) {
            if (group(locations, level, other) != group(locations, level, own)) {
                continue;
            }
            const std::int64_t inner = group(locations, level + 1, other);
            const auto place = std::ranges::lower_bound(seen, inner);
            if (place == seen.end() || *place != inner) {
                seen.insert(place, inner);
                first.push_back(static_cast<int>(other));
            }
        }
        return first;
    }

    std::vector<std::unique_ptr<ClockSync>> levels_;
};

} // namespace

namespace clocksync {
extern const ClockSyncMember hierarchical;
const ClockSyncMember hierarchical = {
    {"hierarchical", "one algorithm between hosts, another inside each, optionally a third inside sockets",
     "Hunold and Carpen-Amarie 2018", hierarchical_parameters},
    [](const Bound& bound) -> std::unique_ptr<ClockSync> { return std::make_unique<Hierarchical>(bound); }};
} // namespace clocksync

} // namespace ictus

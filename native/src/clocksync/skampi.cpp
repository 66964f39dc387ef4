// `skampi`: the root measures the offset of each rank in turn. Worsch, Reussner, Augustin 2002; algorithm 8 of "MPI
// benchmarking revisited". p - 1 rounds of one offset each; no drift is learnt, so each rank is wrong by its drift from
// its own turn on. What an offset proves holds at the time of that turn.
#include "clocksync/tree_walks.hpp"
#include "drift/drift.hpp"

#include <cmath>

namespace ictus {
namespace {

constexpr Parameter root_in_turn_parameters[] = {
    {.name = "offset",
     .type = Parameter::Type::member,
     .default_value = "skampi",
     .help = "how each offset is estimated",
     .family = &offset::family},
};

class RootInTurn final : public ClockSync {
public:
    explicit RootInTurn(const Bound& bound) : estimator_(offset::registry().make(bound.member("offset"))) {}

    Synchronised synchronise(Transport& transport) override {
        return clocksync::without_contradiction(
            [&] { return learn(transport); },
            [&](const Synchronised& own) { return clocksync::anywhere(transport, std::isnan(own.bound.half_width)); });
    }

private:
    Synchronised learn(Transport& transport) {
        if (transport.rank() != 0) {
            const OffsetSample sample = estimator_->measure(transport, {0, Role::client});
            return {.model = {0.0, sample.offset}, .at = sample.at, .bound = offset_bound(sample)};
        }
        for (int client = 1; client < transport.size(); ++client) {
            (void)estimator_->measure(transport, {client, Role::reference});
        }
        return clocksync::root_of(transport);
    }

    std::unique_ptr<OffsetEstimator> estimator_;
};

} // namespace

namespace clocksync {
extern const ClockSyncMember skampi;
const ClockSyncMember skampi = {
    {"skampi", "the root measures the offset of each rank in turn; no drift",
     "Worsch et al. 2002; Hunold and Carpen-Amarie 2016, algorithm 8", root_in_turn_parameters},
    [](const Bound& bound) -> std::unique_ptr<ClockSync> { return std::make_unique<RootInTurn>(bound); }};
} // namespace clocksync

} // namespace ictus

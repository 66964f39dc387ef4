// `hca3-offset`: hca3's tree with one offset an edge and no drift: cheap, for frequent re-synchronisation and for
// closing a block.
#include "clocksync/from_root.hpp"

namespace ictus {
namespace {

constexpr Parameter hca3_offset_parameters[] = {
    {.name = "offset",
     .type = Parameter::Type::member,
     .default_value = "skampi(exchanges=20)",
     .help = "how each offset is estimated",
     .family = &offset::family},
};

class Hca3Offset final : public ClockSync {
public:
    explicit Hca3Offset(const Bound& bound)
        : drift_(drift::registry().make(bind(drift::family(), {"offset-only", {}}))),
          estimator_(offset::registry().make(bound.member("offset"))) {}

    Synchronised synchronise(Transport& transport) override {
        return clocksync::learn_from_root(transport, *drift_, *estimator_);
    }

private:
    std::unique_ptr<DriftModel> drift_;
    std::unique_ptr<OffsetEstimator> estimator_;
};

} // namespace

namespace clocksync {
extern const ClockSyncMember hca3_offset;
const ClockSyncMember hca3_offset = {
    {"hca3-offset", "hca3's tree with one offset an edge, no drift", "Hunold and Carpen-Amarie 2018",
     hca3_offset_parameters},
    [](const Bound& bound) -> std::unique_ptr<ClockSync> { return std::make_unique<Hca3Offset>(bound); }};
} // namespace clocksync

} // namespace ictus

// `hca3-offset`: hca3's tree with one offset an edge and no drift: cheap, for frequent re-synchronisation and for
// closing a block.
#include "clocksync/tree_walks.hpp"

namespace ictus {
namespace {

constexpr Parameter hca3_offset_parameters[] = {
    {.name = "offset",
     .type = Parameter::Type::member,
     .default_value = "skampi(exchanges=20)",
     .help = "how each offset is estimated",
     .family = &offset::family},
    drift_limit_parameter,
};

} // namespace

namespace clocksync {
extern const ClockSyncMember hca3_offset;
const ClockSyncMember hca3_offset = {
    {"hca3-offset", "hca3's tree with one offset an edge, no drift", "Hunold and Carpen-Amarie 2018",
     hca3_offset_parameters},
    [](const Bound& bound) -> std::unique_ptr<ClockSync> {
        const Spec drift{"offset-only", {{"drift_limit", {bound.text("drift_limit"), {}}}}};
        return std::make_unique<FromRoot>(bind(drift::family(), drift), bound.member("offset"));
    }};
} // namespace clocksync

} // namespace ictus

// `hca3`: models of offset and drift, learnt from the root down. Hunold and Carpen-Amarie 2018 (HCA3); ceil(log2 p)
// rounds, each of fitpoints x exchanges round trips. The papers: span=0, slope_test=off; ours by default spreads the
// points over 100 ms.
#include "clocksync/tree_walks.hpp"

namespace ictus {
namespace {

constexpr Parameter hca3_parameters[] = {
    {.name = "drift",
     .type = Parameter::Type::member,
     .default_value = "regression",
     .help = "how each pair learns its model",
     .family = &drift::family},
    {.name = "offset",
     .type = Parameter::Type::member,
     .default_value = "skampi",
     .help = "how each offset is estimated",
     .family = &offset::family},
};

} // namespace

namespace clocksync {
extern const ClockSyncMember hca3;
const ClockSyncMember hca3 = {{"hca3", "offset and drift from the root down, in ceil(log2 p) rounds",
                               "Hunold and Carpen-Amarie 2018", hca3_parameters},
                              [](const Bound& bound) -> std::unique_ptr<ClockSync> {
                                  return std::make_unique<FromRoot>(bound.member("drift"), bound.member("offset"));
                              }};
} // namespace clocksync

} // namespace ictus

// `extrapolate`: clocks as another algorithm has them, and stamps by these alone, as in the papers. All others have
// the stamps of a block meet the clocks as they are measured at its end too, which takes away most of what a drift that
// is not known does to them (measure/calibration). The end is measured here as well, and recorded.
#include "base/error.hpp"
#include "clocksync/clocksync.hpp"

namespace ictus {
namespace {

constexpr Parameter extrapolate_parameters[] = {
    {.name = "of",
     .type = Parameter::Type::member,
     .default_value = "ictus",
     .help = "the algorithm",
     .family = &clocksync::family},
};

class Extrapolate final : public ClockSync {
public:
    explicit Extrapolate(const Bound& of) : of_(clocksync::registry().make(of)) {
        if (!of_->synchronises()) {
            throw PlanError("clocksync 'extrapolate', parameter 'of': '" + std::string(of.info().name) +
                            "' has no global time to extrapolate; it may be any other member");
        }
    }

    Synchronised synchronise(Transport& transport) override { return of_->synchronise(transport); }
    Synchronised measure_again(Transport& modelled) override { return of_->measure_again(modelled); }
    [[nodiscard]] bool interpolates() const override { return false; }

private:
    std::unique_ptr<ClockSync> of_;
};

} // namespace

namespace clocksync {
extern const ClockSyncMember extrapolate;
const ClockSyncMember extrapolate = {
    {"extrapolate", "another algorithm, whose clocks are not corrected by how far they are off at the end of a block",
     "Hunold and Carpen-Amarie 2016, sec. 4", extrapolate_parameters},
    [](const Bound& bound) -> std::unique_ptr<ClockSync> { return std::make_unique<Extrapolate>(bound.member("of")); }};
} // namespace clocksync

} // namespace ictus

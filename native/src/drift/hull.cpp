// `hull`: the line through the middle of the strip that all exchanges leave (clockmath/strip), with a proven bound.
// Bursts of exchanges are spread over the span; each single exchange counts.
#include "drift/bound_rule.hpp"
#include "drift/drift.hpp"
#include "offset/exchanges.hpp"

#include <cmath>

namespace ictus {
namespace {

constexpr Parameter hull_drift_parameters[] = {
    {.name = "fitpoints",
     .type = Parameter::Type::count,
     .default_value = "200",
     .help = "bursts of exchanges",
     .minimum = 2,
     .maximum = 1e6},
    {.name = "exchanges",
     .type = Parameter::Type::count,
     .default_value = "10",
     .help = "round trips in a burst",
     .minimum = 1,
     .maximum = 1e6},
    {.name = "span",
     .type = Parameter::Type::duration,
     .default_value = "100ms",
     .help = "time over which the bursts are spread; 0: back to back",
     .minimum = 0,
     .maximum = 3600},
    asymmetry_parameter,
    deviations_parameter,
    wander_parameter,
};

class HullDrift final : public DriftModel {
public:
    explicit HullDrift(const Bound& bound)
        : fitpoints_(bound.count("fitpoints")), exchanges_(bound.count("exchanges")), span_s_(bound.real("span")),
          rule_(bound) {}

    LearnedModel learn(Transport& transport, const Meeting& meeting, OffsetEstimator&) override {
        offset::Exchanges exchanges;
        LocalTime begin;
        for (std::uint64_t i = 0; i < fitpoints_; ++i) {
            if (i > 0 && meeting.role == Role::client && span_s_ > 0.0) {
                transport.wait_until(begin + span_s_ * static_cast<double>(i) / static_cast<double>(fitpoints_ - 1));
            }
            exchanges.burst(transport, meeting, exchanges_);
            if (i == 0) {
                begin = transport.now(); // the reference may have started late
            }
        }
        if (meeting.role == Role::reference) {
            return {};
        }
        const StripFit fit = fit_strip(exchanges.points(), {.wander = rule_.wander});
        return {.model = {fit.line.drift, fit.line(LocalTime{})},
                .slope_error = std::sqrt(fit.line.drift_variance),
                .bound = rule_.of(fit),
                .at = fit.line.at};
    }
    [[nodiscard]] bool proves() const override { return true; }

private:
    std::uint64_t fitpoints_;
    std::uint64_t exchanges_;
    double span_s_;
    BoundRule rule_;
};

} // namespace

namespace drift {
extern const DriftMember hull;
const DriftMember hull = {
    {"hull", "middle of the strip that all exchanges allow, with a bound; makes its own exchanges",
     "Duda et al. 1987; Zhang, Liu, Xia 2002; here", hull_drift_parameters},
    [](const Bound& bound) -> std::unique_ptr<DriftModel> { return std::make_unique<HullDrift>(bound); }};
} // namespace drift

} // namespace ictus

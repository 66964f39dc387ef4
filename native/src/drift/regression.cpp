// `regression`: least squares through offsets measured over a span of time. Jones and Koenig 2013; Hunold and
// Carpen-Amarie 2016, algorithm 4.
//
// The span decides the quality of the slope, not the number of points: with 20 ppm of drift a span of 4 ms was off
// by 13.6 us after 10 s, a span of 164 ms by 9 ns. So the points are spread over `span`; 0 takes them
// back to back, as the papers do.
#include "drift/drift.hpp"

#include "core/linear_fit.hpp"

#include <cmath>
#include <vector>

namespace ictus {
namespace {

constexpr Parameter regression_parameters[] = {
    {.name = "fitpoints",
     .type = Parameter::Type::count,
     .default_value = "500",
     .help = "offsets to measure",
     .minimum = 2,
     .maximum = 1e6},
    {.name = "span",
     .type = Parameter::Type::duration,
     .default_value = "100ms",
     .help = "time over which they are spread; 0: back to back, as in the papers",
     .minimum = 0,
     .maximum = 3600},
    {.name = "reanchor",
     .type = Parameter::Type::flag,
     .default_value = "on",
     .help = "replace the fitted intercept by a fresh offset"},
    {.name = "slope_test",
     .type = Parameter::Type::flag,
     .default_value = "on",
     .help = "take a slope smaller than its standard error as 0"},
};

class Regression final : public DriftModel {
public:
    explicit Regression(const Bound& bound)
        : fitpoints_(bound.count("fitpoints")), span_s_(bound.real("span")), reanchor_(bound.flag("reanchor")),
          slope_test_(bound.flag("slope_test")) {}

    LearnedModel learn(Transport& transport, const Meeting& meeting, OffsetEstimator& estimator) override {
        std::vector<double> at;
        std::vector<double> offsets;
        LocalTime begin;
        for (std::uint64_t i = 0; i < fitpoints_; ++i) {
            // Only the client keeps the pace; the reference answers when asked.
            if (i > 0 && meeting.role == Role::client && span_s_ > 0.0) {
                transport.wait_until(begin + span_s_ * share_of_span(i));
            }
            const OffsetSample sample = estimator.measure(transport, meeting);
            at.push_back(sample.at);
            offsets.push_back(sample.offset);
            // The span begins with the first answer: in a later round of a tree the reference may come long after the
            // client.
            if (i == 0) {
                begin = transport.now();
            }
        }
        const OffsetSample fresh = reanchor_ ? estimator.measure(transport, meeting) : OffsetSample{};
        if (meeting.role == Role::reference) {
            return {};
        }

        const LinearFit fit = fit_line(at, offsets);
        LearnedModel learned{.model = {fit.slope, fit.intercept}, .slope_error = fit.slope_error};
        if (slope_test_ && std::abs(fit.slope) < fit.slope_error) {
            const LinearFit level = fit_line(std::vector<double>(at.size(), 0.0), offsets); // slope 0: the mean offset
            learned.model = {0.0, level.intercept};
        }
        if (reanchor_) {
            learned.model.intercept = fresh.offset - learned.model.slope * fresh.at;
            learned.bound = offset_bound(fresh);
        }
        return learned;
    }

private:
    [[nodiscard]] double share_of_span(std::uint64_t i) const {
        return static_cast<double>(i) / static_cast<double>(fitpoints_ - 1);
    }

    std::uint64_t fitpoints_;
    double span_s_;
    bool reanchor_;
    bool slope_test_;
};

} // namespace

namespace drift {
extern const DriftMember regression;
const DriftMember regression = {
    {"regression", "least squares through offsets spread over a span",
     "Jones and Koenig 2013; Hunold and Carpen-Amarie 2016, algorithm 4", regression_parameters},
    [](const Bound& bound) -> std::unique_ptr<DriftModel> { return std::make_unique<Regression>(bound); }};
} // namespace drift

} // namespace ictus

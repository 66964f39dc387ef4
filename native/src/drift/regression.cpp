// `regression`: least squares through offsets measured over a span of time. Jones and Koenig 2013; Hunold and
// Carpen-Amarie 2016, algorithm 4.
//
// The span decides the quality of the slope, not the number of points: with 20 ppm of drift a span of 4 ms was off by
// 13.6 us after 10 s, a span of 164 ms by 9 ns. So the points are spread over `span`; 0: back to back, as in the
// papers.
#include "drift/regression_line.hpp"

namespace ictus {
namespace {

constexpr Parameter regression_parameters[] = {
    drift::fitpoints_parameter("500"),
    drift::span_parameter("100ms"),
    drift::reanchor_parameter("on"),
    drift::slope_test_parameter("on"),
};

class Regression final : public DriftModel {
public:
    explicit Regression(const Bound& bound) : rule_(bound) {}

    LearnedModel learn(Transport& transport, const Meeting& meeting, OffsetEstimator& estimator) override {
        drift::RegressionLine line;
        LocalTime first;
        for (std::uint64_t i = 0; i < rule_.fitpoints; ++i) {
            // Only the client waits between points; the reference just answers.
            if (meeting.role == Role::client) {
                rule_.keep_pace(transport, i, first);
            }
            line.add(estimator.measure(transport, meeting));
            // The span begins with the first answer: in a later round of a tree the reference may start long after
            // the client.
            if (i == 0) {
                first = transport.now();
            }
        }
        const OffsetSample fresh = rule_.reanchor ? estimator.measure(transport, meeting) : OffsetSample{};
        if (meeting.role == Role::reference) {
            return {};
        }
        const LearnedModel learned = line.learned(rule_.slope_test);
        return rule_.reanchor ? drift::anchored(learned, fresh) : learned;
    }

private:
    drift::RegressionRule rule_;
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

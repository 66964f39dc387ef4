// `quickest-quarter`: the mean over the quarter of the exchanges with the shortest round trips. Hoefler, Schneider,
// Lumsdaine 2008, section 3.1, who used it for their long-term measurements of clock differences. The quarter is
// rounded up, so one exchange is enough. Cost: 2 messages an exchange.
#include "offset/intersection.hpp"

#include <vector>

namespace ictus {
namespace {

constexpr Parameter quickest_quarter_parameters[] = {
    offset::exchanges_parameter("round trips of which the shortest quarter counts"),
};

class QuickestQuarter final : public OffsetEstimator {
public:
    explicit QuickestQuarter(const Bound& bound) : exchanges_(bound.count("exchanges")) {}

    OffsetSample measure(Transport& transport, const Meeting& meeting) override {
        if (meeting.role == Role::reference) {
            offset::serve(transport, meeting.peer);
            return {};
        }
        offset::Intersection proven;
        std::vector<offset::RoundTrip> exchanges;
        exchanges.reserve(exchanges_);
        offset::ping_each(transport, meeting.peer, exchanges_, [&](const auto& exchange) {
            proven.add(exchange);
            exchanges.push_back(exchange);
        });
        return mean_of_quickest_quarter(std::move(exchanges), proven);
    }

private:
    static OffsetSample mean_of_quickest_quarter(std::vector<offset::RoundTrip> exchanges,
                                                 const offset::Intersection& proven) {
        const auto quarter = (exchanges.size() + 3) / 4;
        const auto end = exchanges.begin() + static_cast<std::ptrdiff_t>(quarter);
        std::partial_sort(exchanges.begin(), end, exchanges.end(),
                          [](const auto& a, const auto& b) { return a.duration() < b.duration(); });
        // Relative to the quickest one, so that a large offset takes no digits from the mean.
        const offset::RoundTrip& quickest = exchanges.front();
        double at = 0.0;
        double offset = 0.0;
        for (auto exchange = exchanges.begin(); exchange != end; ++exchange) {
            at += exchange->at() - quickest.at();
            offset += exchange->middle() - quickest.middle();
        }
        const auto n = static_cast<double>(quarter);
        return proven.sample(quickest.at() + at / n, quickest.middle() + offset / n);
    }

    std::uint64_t exchanges_;
};

} // namespace

namespace offset {
extern const OffsetMember quickest_quarter;
const OffsetMember quickest_quarter = {
    {"quickest-quarter", "mean over the quarter of the exchanges with the shortest round trips",
     "Hoefler, Schneider and Lumsdaine 2008, section 3.1", quickest_quarter_parameters},
    [](const Bound& bound) -> std::unique_ptr<OffsetEstimator> { return std::make_unique<QuickestQuarter>(bound); }};
} // namespace offset

} // namespace ictus

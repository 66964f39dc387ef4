// `hull`: the strip that all exchanges leave (clockmath/strip), at their middle. The bound is proven for any drift
// that is constant during the exchanges.
#include "clockmath/strip_fit.hpp"
#include "offset/exchanges.hpp"
#include "offset/offset.hpp"

#include <algorithm>

namespace ictus {
namespace {

constexpr Parameter hull_offset_parameters[] = {
    {.name = "exchanges",
     .type = Parameter::Type::count,
     .default_value = "100",
     .help = "round trips",
     .minimum = 2,
     .maximum = 1e6},
};

class HullOffset final : public OffsetEstimator {
public:
    explicit HullOffset(const Bound& bound) : exchanges_(bound.count("exchanges")) {}

    OffsetSample measure(Transport& transport, const Meeting& meeting) override {
        offset::Exchanges exchanges;
        exchanges.burst(transport, meeting, exchanges_);
        if (meeting.role == Role::reference) {
            return {};
        }
        const Constraints& points = exchanges.points();
        const OffsetLine line = fit_strip(points).line;
        const Constraints corners{upper_hull(points.floor), lower_hull(points.ceiling)};
        const Interval<ClockOffset> proven = possible_offsets(corners, line.at);
        double round_trip = points.ceiling.front().y - points.floor.front().y;
        for (std::size_t i = 1; i < points.floor.size(); ++i) {
            round_trip = std::min(round_trip, points.ceiling[i].y - points.floor[i].y);
        }
        return {line.at, line.offset, farthest(proven, line.offset), round_trip};
    }

private:
    std::uint64_t exchanges_;
};

} // namespace

namespace offset {
extern const OffsetMember hull;
const OffsetMember hull = {
    {"hull", "middle of the strip that all exchanges allow, whatever the drift meanwhile",
     "Duda et al. 1987; Zhang, Liu, Xia 2002; here", hull_offset_parameters},
    [](const Bound& bound) -> std::unique_ptr<OffsetEstimator> { return std::make_unique<HullOffset>(bound); }};
} // namespace offset

} // namespace ictus

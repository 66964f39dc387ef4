#include "clockmath/skew_draw.hpp"

#include "base/random.hpp"

namespace ictus {

SkewDraw draw_skew(const Bound& bound, std::uint64_t owner) {
    SplitMix64 random(SplitMix64::mix(bound.count("seed")) + owner);
    SkewDraw draw;
    draw.offset_s = (2.0 * random.uniform() - 1.0) * bound.real("offset");
    draw.drift = (2.0 * random.uniform() - 1.0) * bound.real("drift");
    draw.wander = bound.real("wander");
    draw.wander_seed = random.next();
    return draw;
}

} // namespace ictus

#include "clockmath/block_line.hpp"

#include "clockmath/linear_fit.hpp"

#include <algorithm>

namespace ictus {
namespace {

OffsetLine block_line(const Constraints& points, std::size_t block) {
    std::vector<double> at;
    std::vector<double> middles;
    const double origin = points.floor.front().x;
    for (std::size_t first = 0; first + block <= points.floor.size(); first += block) {
        double low = points.floor[first].y;
        double high = points.ceiling[first].y;
        double times = 0.0;
        for (std::size_t i = first; i < first + block; ++i) {
            low = std::max(low, points.floor[i].y);
            high = std::min(high, points.ceiling[i].y);
            times += points.floor[i].x + points.ceiling[i].x - 2.0 * origin;
        }
        at.push_back(times / (2.0 * static_cast<double>(block)));
        middles.push_back((low + high) / 2);
    }
    const LinearFit fit = fit_line(at, middles);
    double mean = 0.0;
    for (const double one : at) {
        mean += one / static_cast<double>(at.size());
    }
    double spread = 0.0;
    for (const double one : at) {
        spread += (one - mean) * (one - mean) / static_cast<double>(at.size());
    }
    const double drift_variance = fit.slope_error * fit.slope_error;
    return {.at = origin + mean,
            .offset = fit.intercept + fit.slope * mean,
            .drift = fit.slope,
            .offset_variance = drift_variance * spread, // the residual variance over the number of blocks
            .covariance = 0.0,
            .drift_variance = drift_variance};
}

} // namespace

OffsetLine best_block_line(const Constraints& points) {
    OffsetLine best = block_line(points, 4);
    for (std::size_t block = 16; points.floor.size() / block >= 8; block *= 4) {
        const OffsetLine other = block_line(points, block);
        if (other.drift_variance < best.drift_variance) {
            best = other;
        }
    }
    return best;
}

} // namespace ictus

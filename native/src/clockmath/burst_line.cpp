#include "clockmath/burst_line.hpp"

#include "base/summary.hpp"
#include "clockmath/linear_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

namespace ictus {
namespace {

constexpr std::size_t fewest_bursts = 40;
constexpr std::size_t most_blocks = 32;
constexpr std::size_t most_bins = 8;
constexpr std::size_t of_a_bin = 50; ///< bursts, at least
/// So many bursts show the bins' limits, levels and spreads.
constexpr std::size_t enough = 1000;

struct Burst {
    double at;         ///< from the first exchange, seconds
    double middle;     ///< against the line of drift `near` through the first floor
    double round_trip; ///< the shortest way there and the shortest way back
};

/// Each exchange as a burst of its own. `near`: the drift of the line that they are held against.
std::vector<Burst> exchanges_of(const Constraints& points, double near) {
    const LocalTime origin = points.floor.front().x;
    const ClockOffset base = points.floor.front().y; // for the sake of digits
    std::vector<Burst> exchanges;
    exchanges.reserve(points.floor.size());
    for (std::size_t i = 0; i < points.floor.size(); ++i) {
        const double sent = points.floor[i].x - origin;
        const double received = points.ceiling[i].x - origin;
        const double floor = points.floor[i].y - base - near * sent;
        const double ceiling = points.ceiling[i].y - base - near * received;
        exchanges.push_back({(sent + received) / 2, (floor + ceiling) / 2, ceiling - floor});
    }
    return exchanges;
}

/// A drift near the truth: least squares through the middles of the shorter half of round trips.
double drift_of_shorter_half(const Constraints& points) {
    const std::vector<Burst> exchanges = exchanges_of(points, 0.0);
    std::vector<double> round_trips;
    for (std::size_t i = 0; i < exchanges.size(); i += std::max<std::size_t>(1, exchanges.size() / enough)) {
        round_trips.push_back(exchanges[i].round_trip);
    }
    const double half = summarise(std::move(round_trips)).median;
    std::vector<double> at;
    std::vector<double> middle;
    for (const Burst& exchange : exchanges) {
        if (exchange.round_trip <= half) {
            at.push_back(exchange.at);
            middle.push_back(exchange.middle);
        }
    }
    return fit_line(at, middle).slope;
}

/// Of `count` shorter ones each.
std::vector<Burst> joined(const std::vector<Burst>& shorter, std::size_t count) {
    std::vector<Burst> bursts;
    bursts.reserve(shorter.size() / count);
    for (std::size_t begin = 0; begin + count <= shorter.size(); begin += count) {
        double floor = -endless;
        double ceiling = endless;
        double at = 0.0;
        for (std::size_t i = begin; i < begin + count; ++i) {
            floor = std::max(floor, shorter[i].middle - shorter[i].round_trip / 2);
            ceiling = std::min(ceiling, shorter[i].middle + shorter[i].round_trip / 2);
            at += shorter[i].at;
        }
        bursts.push_back({at / static_cast<double>(count), (floor + ceiling) / 2, ceiling - floor});
    }
    return bursts;
}

/// What counts of bursts: those of one bin have about the same round trip, and weights by the spread of their middles.
struct Weighted {
    std::vector<double> weight;
    std::vector<double> middle; ///< without the level of its bin
    double level = 0.0;         ///< the mean of all middles at `centre`
    double centre = 0.0;
    double drift = 0.0; ///< that all bins have in common, against `near`
};

/// Bursts of about the same round trip, and how their middles spread.
class Bins {
public:
    explicit Bins(const std::vector<Burst>& bursts) : stride_(std::max<std::size_t>(1, bursts.size() / enough)) {
        std::vector<double> round_trips;
        for (std::size_t i = 0; i < bursts.size(); i += stride_) {
            round_trips.push_back(bursts[i].round_trip);
        }
        std::sort(round_trips.begin(), round_trips.end());
        long_ = round_trips[3 * round_trips.size() / 4];
        const std::size_t n = std::clamp<std::size_t>(bursts.size() / of_a_bin, 1, most_bins);
        for (std::size_t bin = 1; bin < n; ++bin) {
            limits_.push_back(round_trips[bin * round_trips.size() / n]);
        }
        for (const Burst& burst : bursts) {
            std::uint8_t bin = 0;
            for (const double limit : limits_) { // few, and without branches faster than a search
                bin += static_cast<std::uint8_t>(burst.round_trip >= limit);
            }
            of_.push_back(bin);
        }
    }

    /// Levels and spreads of the middles against a line of drift `drift`. `step`: that of the clocks; no spread is
    /// known better.
    void look(const std::vector<Burst>& bursts, double drift, double step) {
        std::vector<std::vector<double>> middles(size());
        for (std::size_t i = 0; i < bursts.size(); i += stride_) {
            middles[of_[i]].push_back(bursts[i].middle - drift * bursts[i].at);
        }
        constexpr std::size_t enough_of_a_bin = 8;
        constexpr double sixth = 0.1587; // a normal value is below one standard deviation as rarely
        const double least = step / 4 + 1e-12;
        level_.clear();
        spread_.clear();
        for (std::vector<double>& own : middles) {
            std::sort(own.begin(), own.end());
            const bool known = own.size() >= enough_of_a_bin;
            level_.push_back(known ? quantile(own, 0.5) : 0.0);
            spread_.push_back(known ? (quantile(own, 1.0 - sixth) - quantile(own, sixth)) / 2 + least : endless);
        }
    }

    [[nodiscard]] std::size_t size() const { return limits_.size() + 1; }
    /// A quarter of round trips is longer.
    [[nodiscard]] double long_round_trip() const { return long_; }
    [[nodiscard]] std::size_t of(std::size_t burst) const { return of_[burst]; }
    [[nodiscard]] double level(std::size_t bin) const { return level_[bin]; }
    /// Standard deviation, robust; endless for a bin that is too small to know.
    [[nodiscard]] double spread(std::size_t bin) const { return spread_[bin]; }

private:
    std::size_t stride_;
    double long_ = 0.0;
    std::vector<double> limits_; ///< between bins, ascending
    std::vector<std::uint8_t> of_;
    std::vector<double> level_;
    std::vector<double> spread_;
};

/// Sums of one bin's middles and times.
struct BinSums {
    double weight = 0.0;
    double at = 0.0;
    double middle = 0.0;
};

/// `near`: a drift against which middles that are far off are seen.
Weighted weighted(const std::vector<Burst>& bursts, Bins& bins, double near, double step) {
    constexpr double far_off = 2.5; // standard deviations
    bins.look(bursts, near, step);
    std::vector<BinSums> sums(bins.size());
    Weighted found;
    found.weight.reserve(bursts.size());
    for (std::size_t i = 0; i < bursts.size(); ++i) {
        const Burst& burst = bursts[i];
        const std::size_t bin = bins.of(i);
        const double off = std::abs(burst.middle - near * burst.at - bins.level(bin));
        const double spread = bins.spread(bin);
        const double weight = off < far_off * spread ? 1.0 / (spread * spread) : 0.0;
        found.weight.push_back(weight);
        sums[bin].weight += weight;
        sums[bin].at += weight * burst.at;
        sums[bin].middle += weight * burst.middle;
    }
    BinSums all;
    for (BinSums& sum : sums) {
        all.weight += sum.weight;
        all.at += sum.at;
        all.middle += sum.middle;
        sum.at /= std::max(sum.weight, 1e-300);
        sum.middle /= std::max(sum.weight, 1e-300);
    }
    double products = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < bursts.size(); ++i) {
        const double away = bursts[i].at - sums[bins.of(i)].at;
        products += found.weight[i] * away * bursts[i].middle;
        squares += found.weight[i] * away * away;
    }
    found.drift = squares > 0.0 ? products / squares : 0.0;
    found.centre = all.at / all.weight;
    found.level = all.middle / all.weight;
    found.middle.reserve(bursts.size());
    for (std::size_t i = 0; i < bursts.size(); ++i) {
        const BinSums& bin = sums[bins.of(i)];
        found.middle.push_back(bursts[i].middle - bin.middle + found.drift * bin.at);
    }
    return found;
}

/// Means of what counts, block of time by block.
struct Blocks {
    std::vector<double> at;
    std::vector<double> middle;
    std::vector<double> round_trip; ///< of the shorter three quarters
    double counted = 0.0;           ///< bursts of a block that count, on average
};

Blocks blocks_of(const std::vector<Burst>& bursts, const Weighted& counted, double longest) {
    const std::size_t n = bursts.size() >= 4 * most_blocks ? most_blocks : std::max<std::size_t>(8, bursts.size() / 4);
    Blocks blocks;
    for (std::size_t block = 0; block < n; ++block) {
        BinSums sum;
        double trips = 0.0;
        double shorter = 0.0;
        for (std::size_t i = block * bursts.size() / n; i < (block + 1) * bursts.size() / n; ++i) {
            sum.weight += counted.weight[i];
            sum.at += counted.weight[i] * bursts[i].at;
            sum.middle += counted.weight[i] * counted.middle[i];
            blocks.counted += counted.weight[i] > 0.0 ? 1.0 / static_cast<double>(n) : 0.0;
            if (bursts[i].round_trip <= longest) {
                trips += bursts[i].round_trip;
                shorter += 1.0;
            }
        }
        if (sum.weight > 0.0 && shorter > 0.0) { // else all of the block is a stall
            blocks.at.push_back(sum.at / sum.weight);
            blocks.middle.push_back(sum.middle / sum.weight);
            blocks.round_trip.push_back(trips / shorter);
        }
    }
    return blocks;
}

/// Noise may last longer than a block. Then the mean of several blocks in a row varies more than the mean of as many
/// independent blocks. This is how many times more, in variance: the largest of 2, 4 and 8 blocks in a row, at least 1.
/// `rest` is what a line leaves of each block.
double lasting_noise(std::span<const double> rest) {
    const auto mean_square = [&](std::size_t in_a_row) {
        const std::size_t n = rest.size() / in_a_row;
        double squares = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            const auto part = rest.subspan(i * in_a_row, in_a_row);
            const double sum = std::accumulate(part.begin(), part.end(), 0.0);
            squares += sum * sum / static_cast<double>(in_a_row);
        }
        return squares / static_cast<double>(n - 2); // a line has two parameters
    };
    const double alone = mean_square(1);
    double largest = alone;
    constexpr std::size_t fewest_parts = 4;
    for (std::size_t in_a_row = 2; rest.size() / in_a_row >= fewest_parts; in_a_row *= 2) {
        largest = std::max(largest, mean_square(in_a_row));
    }
    return alone > 0.0 ? largest / alone : 1.0;
}

/// Takes from the middles what they share with the round trips, and gives by how much that blurs the drift: 1 where
/// round trips do not change with time. A way that takes all of a longer round trip moves the middle by half of it.
double without_round_trips(Blocks& blocks) {
    const LinearFit trend = fit_line(blocks.at, blocks.round_trip);
    const double mean = trend.intercept + trend.slope * trend.center;
    double products = 0.0;
    double squares = 0.0;
    double all_squares = 0.0;
    for (std::size_t i = 0; i < blocks.at.size(); ++i) {
        const double rest = blocks.round_trip[i] - trend.intercept - trend.slope * blocks.at[i];
        products += rest * blocks.middle[i];
        squares += rest * rest;
        all_squares += (blocks.round_trip[i] - mean) * (blocks.round_trip[i] - mean);
    }
    if (!(squares > 1e-9 * all_squares)) {
        return 1.0; // the trend is all that round trips show
    }
    const double share = std::clamp(products / squares, -0.5, 0.5);
    for (std::size_t i = 0; i < blocks.at.size(); ++i) {
        blocks.middle[i] -= share * (blocks.round_trip[i] - mean);
    }
    return all_squares / squares;
}

OffsetLine line_through(const std::vector<Burst>& bursts, double step) {
    Bins bins(bursts);
    const Weighted counted = weighted(bursts, bins, weighted(bursts, bins, 0.0, step).drift, step);
    Blocks blocks = blocks_of(bursts, counted, bins.long_round_trip());
    constexpr std::size_t fewest_blocks = 6;
    if (blocks.at.size() < fewest_blocks) {
        return {.offset_variance = endless, .drift_variance = endless};
    }
    const double blur = without_round_trips(blocks);
    const LinearFit fit = fit_line(blocks.at, blocks.middle);
    std::vector<double> rest;
    double squares = 0.0;
    for (std::size_t i = 0; i < blocks.at.size(); ++i) {
        rest.push_back(blocks.middle[i] - fit.intercept - fit.slope * blocks.at[i]);
        squares += (blocks.at[i] - fit.center) * (blocks.at[i] - fit.center);
    }
    const auto n = static_cast<double>(rest.size());
    const double rounding = step / std::sqrt(24.0 * std::max(1.0, blocks.counted));
    const double scatter = std::inner_product(rest.begin(), rest.end(), rest.begin(), 0.0) / (n - 3.0);
    // A half more in the standard error: the least of several is taken, and noise that lasts longer than eight blocks
    // is not seen.
    constexpr double unseen = 1.5 * 1.5;
    const double variance = unseen * lasting_noise(rest) * (scatter + rounding * rounding);
    return {.at = LocalTime(counted.centre),
            .offset = ClockOffset(counted.level),
            .drift = fit.slope,
            .offset_variance = variance / n,
            .drift_variance = blur * variance / squares};
}

/// The smallest difference between any two values that is more than their rounding errors. 0 where there are few
/// different ones: a stall says nothing of a clock's steps.
double smallest_step(std::vector<double> values, double rounding) {
    constexpr int several = 8;
    std::sort(values.begin(), values.end());
    double step = endless;
    int different = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        const double apart = values[i] - values[i - 1];
        if (apart > rounding) {
            step = std::min(step, apart);
            ++different;
        }
    }
    return different >= several ? step : 0.0;
}

} // namespace

double resolution_of(const Constraints& points) {
    std::vector<double> own;
    std::vector<double> reference;
    constexpr std::size_t several = 1000; // among them a step of a clock that has one is seen many times
    for (std::size_t i = 0; i < std::min(points.floor.size(), several); ++i) {
        own.push_back(points.ceiling[i].x - points.floor[i].x);
        if (i > 0) {
            const Point& last = points.ceiling[i - 1];
            reference.push_back((points.floor[i].x - last.x) - (points.floor[i].y - last.y));
        }
    }
    const double largest = std::max(std::abs(points.floor.front().x.s), std::abs(points.ceiling.back().x.s)) +
                           std::abs(points.floor.front().y.s);
    const double rounding = 8.0 * std::numeric_limits<double>::epsilon() * largest;
    return std::max(smallest_step(std::move(own), rounding), smallest_step(std::move(reference), rounding));
}

OffsetLine burst_line(const Constraints& points, double step) {
    const double near = drift_of_shorter_half(points);
    // A single exchange shows each state of a link that polls; of many only the shortest ways are left.
    const std::vector<Burst> exchanges = exchanges_of(points, near);
    const std::vector<Burst> tens = joined(exchanges, 10);
    OffsetLine best = line_through(exchanges, step);
    for (const std::size_t count : {1U, 3U, 10U}) {
        if (tens.size() / count < fewest_bursts) {
            break;
        }
        const OffsetLine line = line_through(joined(tens, count), step);
        if (line.drift_variance < best.drift_variance) {
            best = line;
        }
    }
    best.offset = points.floor.front().y + best.offset.s + near * best.at.s;
    best.drift += near;
    best.at = points.floor.front().x + best.at.s;
    return best;
}

} // namespace ictus

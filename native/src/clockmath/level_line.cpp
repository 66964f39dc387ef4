#include "clockmath/level_line.hpp"

#include "base/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>

namespace ictus {
namespace {

/// Shares of a block. Of the smallest a few readings decide, which a coarse clock rounds; the largest also hold what a
/// link and a scheduler add.
constexpr std::array shares{1.0 / 256, 1.0 / 64, 1.0 / 16, 1.0 / 4};
constexpr std::size_t most_blocks = 32;
constexpr std::size_t fewest_of_block = 4;

struct Level {
    double at;         ///< from the first exchange, seconds
    double round_trip; ///< the median
    std::array<double, shares.size()> height;
};

/// For each share the mean of the lowest values. Each smaller share is selected among those of the next larger one: no
/// value need be sorted.
std::array<double, shares.size()> lowest_means(std::vector<double>& values) {
    std::array<double, shares.size()> means{};
    auto end = values.end();
    for (std::size_t i = shares.size(); i-- > 0;) {
        const auto counted =
            std::max<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(shares[i] * static_cast<double>(values.size())));
        std::nth_element(values.begin(), values.begin() + counted - 1, end);
        end = values.begin() + counted;
        means[i] = std::accumulate(values.begin(), end, 0.0) / static_cast<double>(counted);
    }
    return means;
}

/// Levels of the blocks against the line of drift `near` through 0 at the first exchange.
std::vector<Level> levels_of(const Constraints& points, double near) {
    const std::size_t n = points.floor.size();
    const std::size_t blocks = std::clamp(n / fewest_of_block, std::size_t{8}, most_blocks);
    const LocalTime origin = points.floor.front().x;
    const ClockOffset base = points.floor.front().y; // for the sake of digits
    std::vector<Level> levels;
    std::vector<double> ceilings;
    std::vector<double> floors;
    std::vector<double> round_trips;
    for (std::size_t block = 0; block < blocks; ++block) {
        ceilings.clear();
        floors.clear();
        round_trips.clear();
        for (std::size_t i = block * n / blocks; i < (block + 1) * n / blocks; ++i) {
            const Point& ceiling = points.ceiling[i];
            const Point& floor = points.floor[i];
            ceilings.push_back(ceiling.y - base - near * (ceiling.x - origin));
            floors.push_back(base - floor.y + near * (floor.x - origin));
            round_trips.push_back(ceiling.y - floor.y);
        }
        const auto middle = round_trips.begin() + static_cast<std::ptrdiff_t>(round_trips.size() / 2);
        std::nth_element(round_trips.begin(), middle, round_trips.end());
        const std::size_t half = (2 * block + 1) * n / (2 * blocks); // a stall would move the mean time
        const LocalTime at = midpoint(points.floor[half].x, points.ceiling[half].x);
        Level level{at - origin, *middle, lowest_means(ceilings)};
        const auto below = lowest_means(floors);
        for (std::size_t i = 0; i < shares.size(); ++i) {
            level.height[i] = (level.height[i] - below[i]) / 2;
        }
        levels.push_back(level);
    }
    return levels;
}

double weighted_median(std::vector<std::pair<double, double>>& values) {
    std::sort(values.begin(), values.end());
    double half = 0.0;
    for (const auto& [value, weight] : values) {
        half += weight / 2;
    }
    for (const auto& [value, weight] : values) {
        half -= weight;
        if (half <= 0.0) {
            return value;
        }
    }
    return values.back().first;
}

/// How far the round trips of two blocks may differ and be of one state of the link: a few times as far as those of
/// neighbours mostly do, for a state lasts longer than a block.
double likeness(const std::vector<Level>& levels, double step) {
    constexpr double few = 2.0;
    std::vector<double> changes;
    for (std::size_t i = 1; i < levels.size(); ++i) {
        changes.push_back(std::abs(levels[i].round_trip - levels[i - 1].round_trip));
    }
    return few * std::max(summarise(std::move(changes)).median, step);
}

struct Pair {
    std::size_t first;
    std::size_t second;
    double distance; ///< seconds
};

/// Two blocks of one state each; all pairs where hardly any state comes twice.
std::vector<Pair> like_pairs(const std::vector<Level>& levels, double step) {
    std::vector<Pair> all;
    std::vector<Pair> like;
    const double limit = likeness(levels, step);
    for (std::size_t i = 0; i < levels.size(); ++i) {
        for (std::size_t j = i + 1; j < levels.size(); ++j) {
            all.push_back({i, j, levels[j].at - levels[i].at});
            if (std::abs(levels[j].round_trip - levels[i].round_trip) <= limit) {
                like.push_back(all.back());
            }
        }
    }
    return like.size() >= 2 * levels.size() ? like : all;
}

/// Noise may last longer than a block. Then the mean of several levels in a row varies more than the mean of as many
/// independent levels. This is how many times more, in variance: the largest of 2, 4 and 8 levels in a row, at least 1.
/// `rest` is what a line leaves of each level.
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

/// Through the heights of one share, drawn against the line that the levels are measured from.
OffsetLine line_through(const std::vector<Level>& levels, const std::vector<Pair>& pairs, std::size_t share,
                        double rounding) {
    std::vector<std::pair<double, double>> slopes;
    double squares = 0.0;
    for (const Pair& pair : pairs) {
        const double rise = levels[pair.second].height[share] - levels[pair.first].height[share];
        slopes.emplace_back(rise / pair.distance, pair.distance);
        squares += pair.distance * pair.distance;
    }
    std::vector<double> strays;
    for (const auto& [slope, distance] : slopes) {
        strays.push_back(slope * distance);
    }
    const double drift = weighted_median(slopes);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        strays[i] = std::abs(strays[i] - drift * pairs[i].distance);
    }
    const auto n = static_cast<double>(levels.size());
    double centre = 0.0;
    for (const Level& level : levels) {
        centre += level.at / n;
    }
    std::vector<double> rest;
    for (const Level& level : levels) {
        rest.push_back(level.height[share] - drift * (level.at - centre));
    }
    const double offset = summarise(rest).median;
    for (double& one : rest) {
        one -= offset;
    }
    const double lasting = std::sqrt(lasting_noise(rest));
    for (double& one : rest) {
        one = std::abs(one);
    }
    // Of normal errors the standard deviation over the median absolute one; a quarter more, because the least of
    // several shares is taken and a median of slopes is no mean.
    constexpr double deviation_of_median = 1.25 * 1.4826;
    const double deviation =
        lasting * std::hypot(deviation_of_median * summarise(std::move(strays)).median / std::numbers::sqrt2, rounding);
    const double off = lasting * std::hypot(deviation_of_median * summarise(std::move(rest)).median, rounding);
    // The distances of m levels from each other have m times the squares of those from their mean.
    const double together = 1.0 + 2.0 * static_cast<double>(pairs.size()) / n;
    return {.at = LocalTime(centre),
            .offset = ClockOffset(offset),
            .drift = drift,
            .offset_variance = off * off / n,
            .drift_variance = deviation * deviation * together / squares};
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
    constexpr std::size_t enough = 2000; // among them a step of a clock that has one is seen many times
    for (std::size_t i = 0; i < std::min(points.floor.size(), enough); ++i) {
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

OffsetLine level_line(const Constraints& points, double near) {
    const double step = resolution_of(points);
    const LocalTime origin = points.floor.front().x;
    const ClockOffset base = points.floor.front().y;
    OffsetLine best;
    // Inside a block a wrong drift blurs the levels, so they are made again with the drift that was found, unless
    // `near` was good: 8 standard errors of the drift move a level over its block by a sixth of its own scatter.
    constexpr double as_good = 8.0;
    for (int pass = 0; pass == 0 || (pass == 1 && std::abs(best.drift) > as_good * std::sqrt(best.drift_variance));
         ++pass) {
        const std::vector<Level> levels = levels_of(points, near);
        const std::vector<Pair> pairs = like_pairs(levels, step);
        const double of_block = static_cast<double>(points.floor.size()) / static_cast<double>(levels.size());
        for (std::size_t share = 0; share < shares.size(); ++share) {
            const double counted = std::max(1.0, shares[share] * of_block);
            const OffsetLine line = line_through(levels, pairs, share, step / std::sqrt(24.0 * counted));
            if (share == 0 || line.drift_variance < best.drift_variance) {
                best = line;
            }
        }
        near += best.drift;
    }
    best.offset = base + best.offset.s + (near - best.drift) * best.at.s;
    best.drift = near;
    best.at = origin + best.at.s;
    return best;
}

} // namespace ictus

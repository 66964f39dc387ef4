// `clocks drift`: offsets of all local clocks against rank 0's over time, and how long a straight line describes them.
// Algorithm 18 of "MPI benchmarking revisited", all ranks in one pass. Layout: file-format.md, clocks.json, drift.
#include "base/quantity.hpp"
#include "clockmath/linear_fit.hpp"
#include "study/offset_pass.hpp"
#include "study/ping_pong_check.hpp"
#include "study/study.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <type_traits>

namespace ictus {
namespace {

constexpr Option drift_options[] = {
    option::ranks,
    option::clock,
    option::member("offset", "skampi", "how each offset is estimated", &offset::family),
    option::duration("duration", "50s", "how long clocks are watched", {0, 1e6}),
    option::duration("interval", "500ms", "time between two offsets of a rank", {1e-6, 1e6}),
    option::duration("windows", "5s,20s",
                     "lengths of time over which straight lines are fitted, besides the whole time", {0, 1e6})
        .list(),
    option::real("sample", "1",
                 "share of the ranks that are watched, half from the middle and half from the high end; at least one "
                 "rank",
                 {0, 1}),
    study::output,
};

/// One rank's clock against rank 0's.
struct OffsetSeries {
    int rank = 0;
    double first_offset_s = 0.0;
    std::vector<double> at_s;     ///< rank 0's time
    std::vector<double> offset_s; ///< rank minus rank 0, minus the first
    std::vector<double> bound_s;
};

OffsetSeries series_of(int rank, const std::vector<OffsetSample>& samples) {
    OffsetSeries series;
    series.rank = rank;
    series.first_offset_s = samples.front().offset.s;
    for (const OffsetSample& sample : samples) {
        series.at_s.push_back((sample.at - sample.offset).s);
        series.offset_s.push_back(sample.offset.s - series.first_offset_s);
        series.bound_s.push_back(sample.bound);
    }
    return series;
}

/// Straight lines through windows of one length, of one rank.
struct Lines {
    int rank;
    double window_s;
    std::vector<double> slope;
    std::vector<double> slope_error;
    std::vector<double> residual_max_s; ///< largest distance of an offset from the line
};

/// Through each `points` consecutive entries, at least 2, each window beginning where the one before it ended.
Lines lines_through(const OffsetSeries& series, double window_s, std::size_t points) {
    Lines lines{series.rank, window_s, {}, {}, {}};
    for (std::size_t first = 0; first + points <= series.at_s.size(); first += points - 1) {
        const std::span<const double> at = std::span(series.at_s).subspan(first, points);
        const std::span<const double> offsets = std::span(series.offset_s).subspan(first, points);
        const LinearFit fit = fit_line(at, offsets);
        double largest = 0.0;
        for (std::size_t i = 0; i < points; ++i) {
            largest = std::max(largest, std::abs(offsets[i] - (fit.slope * at[i] + fit.intercept)));
        }
        lines.slope.push_back(fit.slope);
        lines.slope_error.push_back(fit.slope_error);
        lines.residual_max_s.push_back(largest);
    }
    return lines;
}

/// A field of each row as one column (file-format.md): a list of numbers, or of lists.
template <class Row, class Field>
void write_field(record::JsonWriter& json, std::string_view name, const std::vector<Row>& rows, Field Row::* field) {
    std::vector<Field> column;
    std::ranges::transform(rows, std::back_inserter(column), field);
    if constexpr (std::is_arithmetic_v<Field>) {
        json.numbers(name, column);
    } else {
        json.number_rows(name, column);
    }
}

class DriftStudy final : public Study {
public:
    explicit DriftStudy(const OptionValues& values)
        : offset_(values.member("offset")), duration_s_(values.duration("duration")),
          interval_s_(values.duration("interval")), sample_(values.real("sample")) {
        const std::vector<double> windows = values.durations("windows");
        lengths_s_ = {windows.begin(), windows.end()};
        lengths_s_.insert(duration_s_);
    }

    void measure(LaunchContext& context) override {
        Transport& transport = context.transport();
        if (context.size() == 1) { // nothing to compare with
            return;
        }
        const std::vector<int> watched = sampled_ranks(context.size(), sample_);
        transport.library_barrier();
        if (!context.is_root() && !std::ranges::binary_search(watched, transport.rank())) {
            return;
        }
        std::vector<OffsetSample> samples = measure_all(transport, watched);
        if (!context.is_root()) {
            transport.send(0, std::as_bytes(std::span(samples)));
            return;
        }
        samples.resize(
            n_points(duration_s_)); // from those alone that were watched: a gather would bring as much of all
        for (const int rank : watched) {
            transport.receive(rank, std::as_writable_bytes(std::span(samples)));
            series_.push_back(series_of(rank, samples));
        }
    }

    [[nodiscard]] std::vector<std::string> remarks() const override {
        if (longest_pass_s_ <= interval_s_) {
            return {};
        }
        return {"a pass over " + std::to_string(series_.size()) + (series_.size() == 1 ? " rank" : " ranks") +
                " took up to " + format_duration(longest_pass_s_) + ", longer than the interval of " +
                format_duration(interval_s_) +
                ": the offsets are further apart in time than requested; give a smaller --sample or a longer "
                "--interval"};
    }

    void write(record::JsonWriter& json) const override {
        json.member("interval_s", interval_s_).member("duration_s", duration_s_);
        json.member("offset", to_string(offset_.spec())).member("longest_pass_s", longest_pass_s_);
        json.key("series").begin_object();
        write_field(json, "rank", series_, &OffsetSeries::rank);
        write_field(json, "first_offset_s", series_, &OffsetSeries::first_offset_s);
        write_field(json, "at_s", series_, &OffsetSeries::at_s);
        write_field(json, "offset_s", series_, &OffsetSeries::offset_s);
        write_field(json, "bound_s", series_, &OffsetSeries::bound_s);
        json.end_object().key("fits").begin_object();
        const std::vector<Lines> fits = all_lines();
        write_field(json, "rank", fits, &Lines::rank);
        write_field(json, "window_s", fits, &Lines::window_s);
        write_field(json, "slope", fits, &Lines::slope);
        write_field(json, "slope_error", fits, &Lines::slope_error);
        write_field(json, "residual_max_s", fits, &Lines::residual_max_s);
        json.end_object();
    }

private:
    [[nodiscard]] std::vector<Lines> all_lines() const {
        std::vector<Lines> fits;
        for (const OffsetSeries& one : series_) {
            for (const double length : lengths_s_) {
                const std::size_t points = n_points(length);
                if (points >= 3 && points <= n_points(duration_s_)) { // through two points every line is straight
                    fits.push_back(lines_through(one, length, points));
                }
            }
        }
        return fits;
    }

    [[nodiscard]] std::size_t n_points(double length_s) const {
        return static_cast<std::size_t>(std::llround(length_s / interval_s_)) + 1;
    }

    /// What one rank measured against rank 0, one entry an interval; nothing on rank 0, which notes the longest pass.
    std::vector<OffsetSample> measure_all(Transport& transport, std::span<const int> watched) {
        const auto estimator = offset::registry().make(offset_);
        std::vector<OffsetSample> samples;
        const LocalTime begin = transport.now();
        for (std::size_t i = 0; i < n_points(duration_s_); ++i) {
            if (transport.rank() == 0) {
                transport.wait_until(begin + static_cast<double>(i) * interval_s_);
            }
            const LocalTime pass_begin = transport.now();
            if (const auto sample = measure_pass(transport, *estimator, watched)) {
                samples.push_back(*sample);
            }
            longest_pass_s_ = std::max(longest_pass_s_, transport.now() - pass_begin);
        }
        return samples;
    }

    Bound offset_;
    double duration_s_;
    double interval_s_;
    double sample_;              ///< share of the ranks (sampled_ranks)
    std::set<double> lengths_s_; ///< over which straight lines are fitted
    std::vector<OffsetSeries> series_;
    double longest_pass_s_ = 0.0; ///< over all watched ranks
};

} // namespace

namespace study {
extern const StudyMember drift;
const StudyMember drift = {"clocks", "drift",       "local clocks against rank 0's over time",
                           "drift",  drift_options, make<DriftStudy>};
} // namespace study

} // namespace ictus

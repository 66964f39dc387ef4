// `clocks frequency`: the stated frequency of the counter against those that ranks calibrate repeatedly, all at the
// same time, as they do when a launch begins. Algorithm 19 of "MPI benchmarking revisited". Layout: file-format.md,
// clocks.json, frequency.
#include "base/summary.hpp"
#include "clock/tsc_frequency.hpp"
#include "mpi/agreement.hpp"
#include "study/study.hpp"

#include <algorithm>

namespace ictus {
namespace {

constexpr Option frequency_options[] = {
    option::ranks,
    option::duration("durations", "10ms,100ms,1s", "how long each calibration takes", {1e-3, 3600}).list(),
    option::count("repeats", "10", "calibrations of each duration, on each rank", {1, 1e6}),
    option::count("per-rank-repeats", "3",
                  "calibrations by sleeping (calibrated-per-rank), each of four seconds or more", {.maximum = 1e6}),
    study::output,
};

double hertz_or_nan(const Frequency& frequency) { return frequency.hz > 0.0 ? frequency.hz : undefined; }

struct CalibrationSeries {
    std::string_view source;
    double duration_s;
    double elapsed_s; ///< of all repeats, on the slowest rank
    Matrix hz;        ///< per rank, per repeat
};

class FrequencyStudy final : public Study {
public:
    explicit FrequencyStudy(const OptionValues& values)
        : durations_s_(values.durations("durations")), repeats_(values.count("repeats")),
          per_rank_repeats_(values.count("per-rank-repeats")) {}

    void check(LaunchContext&) override {
        if (is_simulated) {
            throw PlanError("clocks frequency: a simulator has no counter whose frequency could be calibrated");
        }
    }

    void measure(LaunchContext& context) override {
        const Frequency stated = stated_frequency();
        hz_ = gather_named(context.record_comm(), {{"stated_hz", hertz_or_nan(stated)},
                                                   {"model_name_hz", hertz_or_nan(model_name_frequency())}});
        sources_ = mpi::gather_texts(context.record_comm(), stated.hz > 0.0 ? stated.source : "");
        for (const double duration : durations_s_) {
            calibrate(context, "calibrated", duration, repeats_, calibrated_frequency);
        }
        if (per_rank_repeats_ > 0) {
            calibrate(context, "calibrated-per-rank", 1.0, per_rank_repeats_, netgauge_frequency);
        }
    }

    void write(record::JsonWriter& json) const override {
        std::vector<std::optional<std::string>> sources;
        for (const std::string& source : sources_) {
            sources.push_back(source.empty() ? std::nullopt : std::optional(source));
        }
        write_lists(json, std::span(hz_).first(1));
        json.list("stated_source", sources);
        write_lists(json, std::span(hz_).last(1));
        json.array("calibrations", calibrations_, [&](const CalibrationSeries& one) {
            json.begin_object().member("source", one.source).member("duration_s", one.duration_s);
            json.member("elapsed_s", one.elapsed_s).matrix("hz", one.hz).end_object();
        });
    }

private:
    template <class Calibrate>
    void calibrate(LaunchContext& context, std::string_view source, double duration_s, std::uint64_t repeats,
                   Calibrate calibrate_once) {
        context.transport().library_barrier();
        const LocalTime begin = context.transport().now();
        std::vector<double> found;
        found.reserve(repeats);
        for (std::uint64_t i = 0; i < repeats; ++i) {
            found.push_back(calibrate_once(duration_s).hz);
        }
        const double own[] = {context.transport().now() - begin};
        const std::vector<double> elapsed = mpi::gather_values(context.record_comm(), own);
        const std::vector<double> all = mpi::gather_values(context.record_comm(), found);
        if (!context.is_root()) {
            return;
        }
        CalibrationSeries series{source, duration_s, std::ranges::max(elapsed), {}};
        for (auto first = all.begin(); first != all.end(); first += static_cast<std::ptrdiff_t>(repeats)) {
            series.hz.emplace_back(first, first + static_cast<std::ptrdiff_t>(repeats));
        }
        calibrations_.push_back(std::move(series));
    }

    std::vector<double> durations_s_;
    std::uint64_t repeats_;
    std::uint64_t per_rank_repeats_; ///< of calibrated-per-rank, which takes some seconds each
    std::vector<RankNumbers> hz_;    ///< NaN where it is not known
    std::vector<std::string> sources_;
    std::vector<CalibrationSeries> calibrations_;
};

} // namespace

namespace study {
extern const StudyMember frequency;
const StudyMember frequency = {
    "clocks",    "frequency",       "the stated frequency of the processor's counter against calibrated ones",
    "frequency", frequency_options, make<FrequencyStudy>};
} // namespace study

} // namespace ictus

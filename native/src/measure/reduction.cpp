#include "measure/reduction.hpp"

#include "base/summary.hpp"
#include "mpi/agreement.hpp"
#include "mpi/handles.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace ictus {
namespace {
/// One repetition on one rank, laid out for one reduction with MPI_MAX: a minimum is the negated maximum of the negated
/// values.
struct RankExtremes {
    double latest_end;
    double latest_start;
    double earliest_start_negated;
    double longest;
    double shortest_negated;
};
constexpr std::size_t extremes_count = sizeof(RankExtremes) / sizeof(double);

/// The same repetition for one reduction with MPI_SUM.
struct RankSums {
    double duration;
    double of_root; ///< 0 on all ranks but the root
};
constexpr std::size_t sums_count = sizeof(RankSums) / sizeof(double);

/// Of one call, seconds.
double duration(Clock& clock, const Stamp& stamp, std::uint64_t calls) {
    return static_cast<double>(stamp.end - stamp.start) / clock.frequency_hz() / static_cast<double>(calls);
}

/// `doubles_each` doubles make one T; the counts of one piece stay far inside an int.
template <class T>
std::vector<T> reduce_to_root(LaunchContext& context, const std::vector<T>& own, std::size_t doubles_each,
                              MPI_Op combine) {
    std::vector<T> all(context.is_root() ? own.size() : 0);
    mpi::check(MPI_Reduce(own.data(), all.data(), static_cast<int>(own.size() * doubles_each), MPI_DOUBLE, combine, 0,
                          context.record_comm()),
               "MPI_Reduce");
    return all;
}

} // namespace

std::vector<record::SampleRecord> reduce_samples(LaunchContext& context, const MeasuredCase& measured,
                                                 const GlobalMapping& mapping, std::size_t first, std::size_t most) {
    Clock& clock = context.clock();
    const auto stamps = std::span(measured.stamps).subspan(first, std::min(most, measured.stamps.size() - first));
    std::vector<RankExtremes> own;
    std::vector<RankSums> own_sums;
    own.reserve(stamps.size());
    own_sums.reserve(stamps.size());
    for (const Stamp& stamp : stamps) {
        const double start = mapping.model.to_global(clock.to_local(stamp.start)).s;
        const double end = mapping.model.to_global(clock.to_local(stamp.end)).s;
        const double local = duration(clock, stamp, measured.calls);
        own.push_back({end, start, -start, local, -local});
        own_sums.push_back({local, measured.root_duty.in(first + own_sums.size()) ? local : 0.0});
    }
    if (!measured.takes_part) { // neither first nor last, nor a part of the mean
        constexpr double least = -std::numeric_limits<double>::infinity();
        std::ranges::fill(own, RankExtremes{least, least, least, least, least});
        std::ranges::fill(own_sums, RankSums{0.0, 0.0});
    }
    const auto extremes = reduce_to_root(context, own, extremes_count, MPI_MAX);
    const auto sums = reduce_to_root(context, own_sums, sums_count, MPI_SUM);

    const auto calls = static_cast<double>(measured.calls);
    const bool global = context.clocksync().synchronises();
    std::vector<record::SampleRecord> records;
    records.reserve(extremes.size());
    for (std::size_t i = 0; i < extremes.size(); ++i) {
        const RankExtremes& all = extremes[i];
        const double earliest = -all.earliest_start_negated;
        records.push_back({.case_id = measured.plan->id,
                           .repetition = static_cast<std::uint32_t>(first + i),
                           .flags = stamps[i].flags,
                           .start = global ? earliest : clock.to_local(stamps[i].start).s,
                           .makespan = global ? (all.latest_end - earliest) / calls : undefined,
                           .local_max = all.longest,
                           .local_mean = sums[i].duration / measured.n_callers,
                           .local_min = -all.shortest_negated,
                           .root = sums[i].of_root,
                           .start_skew = global ? all.latest_start - earliest : undefined,
                           .clock_bound = global ? mapping.bound_s : undefined});
    }
    return records;
}

std::vector<record::CaseRankRecord> summarise_ranks(LaunchContext& context, const MeasuredCase& measured) {
    std::vector<double> valid;
    for (const Stamp& stamp : measured.stamps) {
        if (stamp.flags == 0 && measured.takes_part) {
            valid.push_back(duration(context.clock(), stamp, measured.calls));
        }
    }
    const Summary own = summarise(std::move(valid));
    const double values[] = {static_cast<double>(own.n), own.mean, own.min, own.max, own.median};
    const std::vector<double> all = mpi::gather_values(context.record_comm(), values);
    std::vector<record::CaseRankRecord> ranks;
    for (std::size_t i = 0; i + 4 < all.size(); i += 5) {
        ranks.push_back({static_cast<std::int64_t>(all[i]), all[i + 1], all[i + 2], all[i + 3], all[i + 4]});
    }
    return ranks;
}

namespace {

/// Records that rank 0 receives at once, 8 MB; or one of each rank, where that is more.
constexpr std::size_t records_at_once = 1 << 18;

} // namespace

void bring_raw(LaunchContext& context, const MeasuredCase& measured, Sink* sink) {
    const auto n_ranks = static_cast<std::size_t>(context.size());
    const std::size_t most = std::max<std::size_t>(1, records_at_once / n_ranks); // every rank has as many stamps
    for (std::size_t first = 0; first < measured.stamps.size(); first += most) {
        const auto stamps = std::span(measured.stamps).subspan(first, std::min(most, measured.stamps.size() - first));
        std::vector<record::RawRecord> own;
        own.reserve(stamps.size());
        for (const Stamp& stamp : stamps) {
            own.push_back({measured.plan->id, static_cast<std::uint32_t>(first + own.size()),
                           static_cast<std::uint32_t>(context.rank()), stamp.flags, stamp.start.count,
                           stamp.end.count});
        }
        std::vector<record::RawRecord> all(context.is_root() ? own.size() * n_ranks : 0);
        const auto bytes = static_cast<int>(own.size() * sizeof(record::RawRecord));
        mpi::check(MPI_Gather(own.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, 0, context.record_comm()),
                   "MPI_Gather");
        if (sink != nullptr) {
            sink->take_raw(all);
        }
    }
}

} // namespace ictus

#include "measure/block.hpp"

#include "base/summary.hpp"
#include "measure/reduction.hpp"
#include "mpi/agreement.hpp"
#include "transport/control.hpp"

#include <algorithm>
#include <cmath>

namespace ictus {
namespace {

std::vector<std::pair<std::string, double>> set_up_times(const MeasuredCase& measured) {
    std::vector<std::pair<std::string, double>> times;
    for (const SetupCost& one : measured.set_up) {
        times.emplace_back(one.what, one.elapsed_s);
    }
    return times;
}

} // namespace

record::CaseRecord case_record(LaunchContext& context, const MeasuredCase& measured, bool validated, int block) {
    const CasePlan& plan = *measured.plan;
    const auto flagged = [&](SampleFlags flag) {
        return static_cast<std::uint64_t>(
            std::count_if(measured.stamps.begin(), measured.stamps.end(),
                          [flag](const Stamp& stamp) { return (stamp.flags & flag) != 0; }));
    };
    const GlobalClock& clock = context.global_clock();
    return {.case_id = plan.id,
            .operation = to_string(plan.call.spec()),
            .mpi_name = std::string(plan.operation->mpi_name) + (measured.large_counts ? "_c" : ""),
            .size_bytes = plan.size_bytes,
            .block_bytes = measured.extent.block_bytes,
            .moved_bytes = measured.extent.moved_bytes,
            .count = measured.extent.count,
            .datatype = std::string(plan.datatype->name),
            .reduction = plan.operation->reduces ? std::optional(std::string(plan.reduction->name)) : std::nullopt,
            .root = plan.operation->rooted ? std::optional(record::Root{plan.root, plan.rotates_root}) : std::nullopt,
            .in_place = plan.in_place,
            .layout = to_string(plan.layout.spec()),
            .communicator = to_string(plan.communicator.spec()),
            .n_together = measured.n_together,
            .counts = plan.operation->varied ? std::optional(to_string(plan.counts.spec())) : std::nullopt,
            .procsync = to_string(plan.procsync.spec()),
            .scheme = to_string(plan.scheme.spec()),
            .repetition = to_string(plan.repetition.spec()),
            .cache = to_string(plan.cache.spec()),
            .cache_bytes = measured.cache_bytes > 0 ? std::optional(measured.cache_bytes) : std::nullopt,
            .warmup = plan.warmup,
            .calls = measured.calls,
            .set_up_s = set_up_times(measured),
            .validated = validated,
            .block = block,
            .headline = context.clocksync().synchronises() ? "makespan" : "local_max",
            .attempted = measured.stamps.size(),
            .valid = measured.valid,
            .n_late = flagged(late_flag),
            .n_long = flagged(overrun_flag),
            .n_rejected = flagged(rejected_flag),
            .window_s = measured.window_s,
            .started_s = clock.to_global(measured.started).s,
            .elapsed_s = measured.ended - measured.started};
}

std::vector<std::string> remarks(const record::CaseRecord& record) {
    // Batches that a process synchronisation rejects are part of its method and do not count against the accepted one.
    const std::uint64_t counted = record.attempted - record.n_rejected;
    if (2 * record.valid >= counted && record.valid > 0) {
        return {};
    }
    const std::string all = std::to_string(record.valid > 0 ? counted : record.attempted);
    const std::string what = "case " + std::to_string(record.case_id) + " (" + record.operation + ", " +
                             std::to_string(record.size_bytes) + " B, " + record.procsync + "): ";
    const std::string why = " (" + std::to_string(record.n_late) + " late, " + std::to_string(record.n_long) +
                            " long, " + std::to_string(record.n_rejected) + " rejected)";
    if (record.valid == 0) {
        return {what + "no valid sample among " + all + why + ": no result"};
    }
    return {what + "only " + std::to_string(record.valid) + " of " + all + " samples are valid" + why};
}

namespace {

constexpr std::size_t most_stamps = 8'000'000; // 24 bytes each on every rank: close before memory matters
constexpr std::size_t piece = 1 << 18;         // stamps reduced at a time: 40 MB on rank 0

/// What rank 0 keeps of a block, and what each rank's clock did in it.
struct BlockBooks {
    record::BlockRecord block;
    std::vector<record::BlockClockRecord> clocks;
};

/// Collective; filled on rank 0.
BlockBooks block_books(LaunchContext& context, int index, const Calibration& opening, const Closing& closing) {
    const Calibration& end = closing.measured;
    const double values[] = {opening.result.model.slope,
                             opening.result.model.intercept.s,
                             opening.result.slope_error,
                             opening.bound_s,
                             opening.elapsed_s,
                             static_cast<double>(opening.messages),
                             closing.extrapolated_residual_s,
                             closing.interpolated_residual_s,
                             end.bound_s,
                             end.elapsed_s,
                             static_cast<double>(end.messages),
                             static_cast<double>(opening.result.n_contradicted),
                             static_cast<double>(end.result.n_contradicted)};
    constexpr std::size_t n = std::size(values);
    const std::vector<double> all = mpi::gather_values(context.record_comm(), values);
    const bool synchronised = context.clocksync().synchronises();
    BlockBooks books;
    books.block.block = index;
    if (all.empty()) {
        return books;
    }
    record::OpeningRecord& first = books.block.opening;
    record::ClosingRecord last;
    first.elapsed_s = first.bound_s = 0.0;
    last.elapsed_s = last.residual_max_s = last.interpolated_residual_max_s = last.bound_s = 0.0;
    for (std::size_t i = 0; i + n <= all.size(); i += n) {
        const double at_end = synchronised ? 1.0 : undefined;
        books.clocks.push_back({all[i], all[i + 1], all[i + 2], all[i + 3], at_end * all[i + 6], at_end * all[i + 7],
                                at_end * all[i + 8]});
        first.bound_s = larger_or_none(first.bound_s, all[i + 3]);
        first.n_without_bound += std::isnan(all[i + 3]) ? 1 : 0;
        first.elapsed_s = std::max(first.elapsed_s, all[i + 4]);
        first.messages += static_cast<std::uint64_t>(all[i + 5]);
        last.residual_max_s = larger_or_none(last.residual_max_s, std::abs(all[i + 6]));
        last.interpolated_residual_max_s = larger_or_none(last.interpolated_residual_max_s, std::abs(all[i + 7]));
        last.bound_s = larger_or_none(last.bound_s, all[i + 8]);
        last.elapsed_s = std::max(last.elapsed_s, all[i + 9]);
        last.messages += static_cast<std::uint64_t>(all[i + 10]);
        first.n_contradicted = std::max(first.n_contradicted, static_cast<int>(all[i + 11]));
        last.n_contradicted = std::max(last.n_contradicted, static_cast<int>(all[i + 12]));
    }
    if (synchronised) {
        books.block.closing = last;
    }
    return books;
}

} // namespace

bool Block::is_due(LaunchContext& context, double block_time_s) const {
    const bool due = context.transport().now() - opening_.at >= block_time_s || stamps_ >= most_stamps;
    return control::broadcast_value(context.transport(), static_cast<std::uint8_t>(due)) != 0;
}

Calibration Block::close(LaunchContext& context, const LaunchPlan& plan, Sink* sink, record::LaunchRecord& launch) {
    const Closing closing = close_block(context, opening_);
    const GlobalMapping mapping{model_between(opening_, closing),
                                control::largest(context.transport(), bound_between(opening_, closing))};
    const BlockBooks books = block_books(context, index_, opening_, closing);
    if (sink != nullptr) {
        launch.blocks.push_back(books.block);
        sink->take_block(books.clocks);
    }
    for (MeasuredCase& measured : cases_) {
        record::CaseRecord record = case_record(context, measured, plan.validate, index_);
        const auto ranks = summarise_ranks(context, measured);
        for (std::size_t first = 0; first < measured.stamps.size(); first += piece) {
            const auto samples = reduce_samples(context, measured, mapping, first, piece);
            if (sink != nullptr) {
                sink->take_samples(record, samples);
            }
        }
        if (plan.raw) {
            bring_raw(context, measured, sink);
        }
        measured.stamps = {};
        if (sink != nullptr) {
            sink->take_case(record, ranks);
            launch.cases.push_back(std::move(record));
        }
    }
    return reanchored(opening_, closing);
}

} // namespace ictus

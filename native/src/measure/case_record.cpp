#include "measure/case_record.hpp"

#include <algorithm>

namespace ictus {

namespace {

std::vector<std::pair<std::string, double>> set_up_times(const MeasuredCase& measured) {
    std::vector<std::pair<std::string, double>> times;
    for (const SetUp& one : measured.set_up) {
        times.emplace_back(one.what, one.elapsed_s);
    }
    return times;
}

} // namespace

record::CaseRecord case_record(Workplace& workplace, const MeasuredCase& measured, bool validated, int block) {
    const CasePlan& plan = *measured.plan;
    const auto flagged = [&](SampleFlags flag) {
        return static_cast<std::uint64_t>(
            std::count_if(measured.stamps.begin(), measured.stamps.end(),
                          [flag](const Stamp& stamp) { return (stamp.flags & flag) != 0; }));
    };
    const GlobalClock& clock = workplace.global_clock();
    return {.case_id = plan.id,
            .operation = to_string(plan.call.spec()),
            .mpi_name = std::string(plan.operation->mpi_name),
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
            .headline = workplace.clocksync().synchronises() ? "makespan" : "local_max",
            .attempted = measured.stamps.size(),
            .valid = measured.valid,
            .n_late = flagged(late_flag),
            .n_long = flagged(long_flag),
            .n_rejected = flagged(rejected_flag),
            .window_s = measured.window_s,
            .started_s = clock.to_global(measured.started).s,
            .elapsed_s = measured.ended - measured.started,
            .per_rank = {}};
}

std::vector<std::string> remarks(const record::CaseRecord& record) {
    // Batches that a process synchronisation rejects are part of its method, and say nothing of the one it accepted.
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

} // namespace ictus

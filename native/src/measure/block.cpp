#include "measure/block.hpp"

#include "measure/case_record.hpp"
#include "measure/raw.hpp"
#include "measure/reduction.hpp"
#include "mpi/gather.hpp"
#include "transport/control.hpp"

#include <algorithm>
#include <cmath>

namespace ictus {
namespace {

constexpr std::size_t most_stamps = 8'000'000; // 24 bytes each on every rank: close before memory matters
constexpr std::size_t piece = 1 << 18;         // stamps reduced at a time: 40 MB on rank 0

record::BlockRecord block_record(Workplace& workplace, int index, const Calibration& opening, const Closing& closing) {
    const Calibration& end = closing.measured;
    const double values[] = {opening.result.model.slope,
                             opening.result.model.intercept,
                             opening.result.slope_error,
                             opening.bound_s,
                             opening.elapsed_s,
                             static_cast<double>(opening.messages),
                             closing.extrapolated_residual_s,
                             closing.interpolated_residual_s,
                             end.bound_s,
                             end.elapsed_s,
                             static_cast<double>(end.messages)};
    constexpr std::size_t n = std::size(values);
    const std::vector<double> all = mpi::gather_values(workplace.record_comm(), values);
    record::BlockRecord block;
    block.block = index;
    if (all.empty()) {
        return block;
    }
    record::OpeningRecord& first = block.opening;
    record::ClosingRecord last;
    last.elapsed_s = last.residual_max_s = last.interpolated_residual_max_s = first.elapsed_s = 0.0;
    for (std::size_t i = 0; i + n <= all.size(); i += n) {
        first.slope.push_back(all[i]);
        first.intercept_s.push_back(all[i + 1]);
        first.slope_error.push_back(all[i + 2]);
        first.bound_s.push_back(all[i + 3]);
        first.elapsed_s = std::max(first.elapsed_s, all[i + 4]);
        first.messages += static_cast<std::uint64_t>(all[i + 5]);
        last.residual_s.push_back(all[i + 6]);
        last.residual_max_s = std::max(last.residual_max_s, std::abs(all[i + 6]));
        last.interpolated_residual_s.push_back(all[i + 7]);
        last.interpolated_residual_max_s = std::max(last.interpolated_residual_max_s, std::abs(all[i + 7]));
        last.bound_s.push_back(all[i + 8]);
        last.elapsed_s = std::max(last.elapsed_s, all[i + 9]);
        last.messages += static_cast<std::uint64_t>(all[i + 10]);
    }
    if (workplace.clocksync().synchronises()) {
        block.closing = std::move(last);
    }
    return block;
}

} // namespace

bool Block::is_due(Workplace& workplace, double block_time_s) const {
    const bool due = workplace.transport().now() - opening_.at >= block_time_s || stamps_ >= most_stamps;
    return control::broadcast_value(workplace.transport(), static_cast<std::uint8_t>(due)) != 0;
}

Calibration Block::close(Workplace& workplace, const LaunchPlan& plan, Sink* sink, record::LaunchRecord& launch) {
    const Closing closing = close_block(workplace, opening_);
    const GlobalMapping mapping{model_between(opening_, closing),
                                control::largest(workplace.transport(), bound_between(opening_, closing))};
    const record::BlockRecord books = block_record(workplace, index_, opening_, closing);
    if (sink != nullptr) {
        launch.blocks.push_back(books);
    }
    for (MeasuredCase& measured : cases_) {
        record::CaseRecord record = case_record(workplace, measured, plan.validate, index_);
        record.per_rank = summarise_ranks(workplace, measured);
        for (std::size_t first = 0; first < measured.stamps.size(); first += piece) {
            const auto samples = reduce_samples(workplace, measured, mapping, first, piece);
            if (sink != nullptr) {
                sink->take_samples(record, samples);
            }
        }
        if (plan.raw) {
            bring_raw(workplace, measured, sink);
        }
        measured.stamps = {};
        if (sink != nullptr) {
            sink->take_case(record);
            launch.cases.push_back(std::move(record));
        }
    }
    return reanchored(opening_, closing);
}

} // namespace ictus

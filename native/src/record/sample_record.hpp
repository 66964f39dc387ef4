// The records of samples.npy, raw.npy, case_ranks.npy and clocks.npy as they lie in the file: packed, little-endian,
// described to NumPy field by field.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ictus::record {

static_assert(
    std::endian::native == std::endian::little,
    "samples.npy is little-endian; on a big-endian machine the records must be byte-swapped before they are written");
static_assert(sizeof(double) == 8, "samples.npy holds IEEE doubles of 8 bytes");

/// Bytes of one record by its NumPy descriptor: the sum of the digits after '<u, '<i and '<f.
constexpr std::size_t described_bytes(std::string_view descriptor) {
    std::size_t sum = 0;
    for (std::size_t at = descriptor.find('<'); at != std::string_view::npos; at = descriptor.find('<', at + 1)) {
        sum += static_cast<std::size_t>(descriptor[at + 2] - '0');
    }
    return sum;
}

#pragma pack(push, 1)

/// One repetition of one case, reduced over the ranks. Seconds; durations are per call where a repetition is a loop of
/// calls; NaN where undefined.
struct SampleRecord {
    static constexpr std::string_view descriptor =
        "[('case_id', '<u4'), ('repetition', '<u4'), ('flags', '<u2'), ('start', '<f8'), ('makespan', '<f8'), "
        "('local_max', '<f8'), ('local_mean', '<f8'), ('local_min', '<f8'), ('root', '<f8'), ('start_skew', '<f8'), "
        "('clock_bound', '<f8')]";

    std::uint32_t case_id;
    std::uint32_t repetition;
    std::uint16_t flags; ///< base/time.hpp; 0 = valid
    double start;        ///< earliest start, global clock, since rank 0's epoch
    double makespan;     ///< latest end minus earliest start, global clock
    double local_max;    ///< over ranks of end - start, each on its own clock
    double local_mean;
    double local_min;
    double root;        ///< end - start of the operation's root, of rank 0 where it has none
    double start_skew;  ///< latest minus earliest start, global clock
    double clock_bound; ///< proven bound on the error of the global clock
};

/// One repetition on one rank, in ticks of that rank's clock since its own epoch.
struct RawRecord {
    static constexpr std::string_view descriptor = "[('case_id', '<u4'), ('repetition', '<u4'), ('rank', '<u4'), "
                                                   "('flags', '<u2'), ('start', '<i8'), ('end', '<i8')]";

    std::uint32_t case_id;
    std::uint32_t repetition;
    std::uint32_t rank;
    std::uint16_t flags;
    std::int64_t start;
    std::int64_t end;
};

#pragma pack(pop)

#pragma pack(push, 1)

/// One case on one rank, a record of case_ranks.npy: the rank's own durations over the valid samples, seconds per call.
struct CaseRankRecord {
    static constexpr std::string_view descriptor =
        "[('n', '<i8'), ('mean_s', '<f8'), ('min_s', '<f8'), ('max_s', '<f8'), ('median_s', '<f8')]";

    std::int64_t n; ///< 0 where the rank does not take part or no sample is valid; the times are NaN then
    double mean_s;
    double min_s;
    double max_s;
    double median_s;
};

/// One rank's clock in one block, a record of clocks.npy: global = own - (slope * own + intercept), as in
/// clockmath/clock_model.hpp. Fields of the block's end are NaN where clocks are not synchronised.
struct BlockClockRecord {
    static constexpr std::string_view descriptor =
        "[('slope', '<f8'), ('intercept_s', '<f8'), ('slope_error', '<f8'), ('bound_s', '<f8'), "
        "('residual_s', '<f8'), ('interpolated_residual_s', '<f8'), ('closing_bound_s', '<f8')]";

    double slope;
    double intercept_s;
    double slope_error;
    double bound_s;                 ///< bounds the error of the rank's global time when the block begins; NaN: no bound
    double residual_s;              ///< signed; error of the opening model, extrapolated to the block's end
    double interpolated_residual_s; ///< signed; error of the model that maps the stamps, in a separate measurement
    double closing_bound_s;         ///< as bound_s, at the block's end
};

#pragma pack(pop)

static_assert(sizeof(CaseRankRecord) == 40 && described_bytes(CaseRankRecord::descriptor) == 40);
static_assert(sizeof(BlockClockRecord) == 56 && described_bytes(BlockClockRecord::descriptor) == 56);
static_assert(sizeof(SampleRecord) == 74 && described_bytes(SampleRecord::descriptor) == 74);
static_assert(sizeof(RawRecord) == 30 && described_bytes(RawRecord::descriptor) == 30);

// The records of phases.npy as they lie in the file (file-format.md).

#pragma pack(push, 1)

/// One repetition of one run of a case, in seconds; each phase is the longest of all ranks.
struct PhaseRecord {
    static constexpr std::string_view descriptor =
        "[('case_id', '<u4'), ('run', '<u2'), ('repetition', '<u4'), ('flags', '<u2'), ('init', '<f8'), "
        "('test', '<f8'), ('compute', '<f8'), ('wait', '<f8'), ('total', '<f8'), ('overhead', '<f8')]";

    std::uint32_t case_id;
    std::uint16_t run;
    std::uint32_t repetition;
    std::uint16_t flags; ///< base/time.hpp; 0 = valid
    double init;         ///< the call that begins the operation
    double test;         ///< all progress calls together
    double compute;      ///< as measured, with whatever else used the core
    double wait;         ///< the call that completes it
    double total;        ///< from before the first phase to after the last; the sum of the four on each rank
    double overhead;     ///< total less what the computation takes by itself
};

#pragma pack(pop)

static_assert(sizeof(PhaseRecord) == 60 && described_bytes(PhaseRecord::descriptor) == 60);

} // namespace ictus::record

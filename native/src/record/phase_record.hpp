// The records of phases.npy as they lie in the file (docs/file-format.md).
#pragma once

#include "record/sample_record.hpp"

namespace ictus::record {

#pragma pack(push, 1)

/// One repetition of one run of a case. Seconds; each phase is that of the rank on which it was longest.
struct PhaseRecord {
    static constexpr std::string_view descriptor =
        "[('case_id', '<u4'), ('run', '<u2'), ('repetition', '<u4'), ('flags', '<u2'), ('init', '<f8'), "
        "('test', '<f8'), ('compute', '<f8'), ('wait', '<f8'), ('total', '<f8'), ('overhead', '<f8')]";

    std::uint32_t case_id;
    std::uint16_t run;
    std::uint32_t repetition;
    std::uint16_t flags; ///< base/sample_flag.hpp; 0 = valid
    double init;         ///< the call that begins the operation
    double test;         ///< all progress calls together
    double compute;      ///< as measured, whatever else used the core meanwhile
    double wait;         ///< the call that completes it
    double total;        ///< from before the first to after the last; on each rank the sum of the four
    double overhead;     ///< total less what the computation takes by itself
};

#pragma pack(pop)

static_assert(sizeof(PhaseRecord) == 60 && described_bytes(PhaseRecord::descriptor) == 60);

} // namespace ictus::record

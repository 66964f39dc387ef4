// exits.npy: how much later than the first each process left a barrier, on one global clock.
#pragma once

#include "preload/report.hpp"
#include "record/sample_record.hpp"

namespace ictus::preload {

#pragma pack(push, 1)

/// One process leaving one barrier. Seconds.
struct ExitRecord {
    static constexpr std::string_view descriptor =
        "[('communicator', '<u4'), ('barrier', '<u8'), ('rank', '<u4'), ('flags', '<u2'), ('exit', '<f8'), "
        "('skew', '<f8'), ('clock_bound', '<f8')]";

    std::uint32_t communicator; ///< index in preload.json
    std::uint64_t barrier;      ///< of this communicator: 0, 1, ...
    std::uint32_t rank;         ///< in MPI_COMM_WORLD
    std::uint16_t flags;        ///< base/time.hpp: late_flag or 0
    double exit;                ///< global clock, since rank 0's epoch
    double skew;                ///< exit minus the first exit of this barrier
    double clock_bound;         ///< proven bound on the error of this process's global clock then
};

#pragma pack(pop)

static_assert(sizeof(ExitRecord) == 42 && record::described_bytes(ExitRecord::descriptor) == 42);

/// Collective over `world`: rank 0 writes `path`. `logs` are this process's, in the order of its tallies; `account` is
/// rank 0's. Memory for one log and, on rank 0, one number a barrier. Throws on rank 0 if the file cannot be written;
/// the others do not wait for it.
void write_exits(MPI_Comm world, const TracingClock& clock, std::span<const ExitLog* const> logs,
                 const BarrierAccount& account, const std::string& path);

} // namespace ictus::preload

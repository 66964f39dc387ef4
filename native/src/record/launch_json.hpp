// The record of a launch as plain structs, filled while measuring. launch.json has what does not grow with ranks,
// blocks or cases; launch_arrays.hpp the rest. The keys are those of file-format.md.
#pragma once

#include "base/summary.hpp"
#include "machine/counters.hpp"
#include "machine/factors.hpp"
#include "record/facts.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ictus::record {

/// Of rooted operations.
struct Root {
    int rank = 0;
    bool rotates = false; ///< repetition i has root i mod p
};

struct CaseRecord {
    std::uint64_t case_id = 0;
    std::string operation;
    std::string mpi_name;
    std::uint64_t size_bytes = 0;
    std::uint64_t block_bytes = 0;
    std::uint64_t moved_bytes = 0;
    std::uint64_t count = 0; ///< elements handed to the call
    std::string datatype;
    std::optional<std::string> reduction; ///< key "operator"; absent where the operation reduces nothing
    std::optional<Root> root;             ///< absent where the operation has none
    bool in_place = false;
    std::string layout = "basic";       ///< with all parameters
    std::string communicator = "world"; ///< key "comm", with all parameters: which ranks call together
    int n_together = 0;                 ///< key "comm_size": how many ranks call together
    std::optional<std::string> counts;  ///< absent where the operation has blocks of one size
    std::string procsync;               ///< this and the next three with all parameters
    std::string scheme;
    std::string repetition;
    std::string cache;
    std::optional<std::uint64_t> cache_bytes; ///< size of the cache that is kept cold; absent where none is
    std::uint64_t warmup = 0;
    std::uint64_t calls = 1; ///< in one sample; its times are per call
    std::vector<std::pair<std::string, double>>
        set_up_s; ///< what each preparation before the first call took on the slowest rank
    bool validated = false;
    int block = 0;        ///< index into the blocks
    std::string headline; ///< "makespan" or "local_max"
    std::uint64_t attempted = 0;
    std::uint64_t valid = 0;
    std::uint64_t n_late = 0;     ///< key "late"
    std::uint64_t n_long = 0;     ///< key "long"
    std::uint64_t n_rejected = 0; ///< key "rejected"
    double window_s = undefined;  ///< NaN where there is no window
    double started_s = undefined;
    double elapsed_s = undefined;
};

/// The clock measurement that opens a block, over all ranks; clocks.npy has its result for each rank.
struct OpeningRecord {
    double elapsed_s = undefined;
    std::uint64_t messages = 0;
    double bound_s = undefined; ///< the largest of any rank; NaN where a rank has none
    int n_without_bound = 0;    ///< ranks whose clocks have no proven bound
    int n_contradicted = 0;     ///< earlier attempts whose exchanges contradicted each other, the most of any rank
};

/// The clock measurement that closes it: how wrong the ranks' models are by then.
struct ClosingRecord {
    double elapsed_s = undefined;
    std::uint64_t messages = 0;
    double residual_max_s = undefined; ///< the largest absolute value of any rank
    double interpolated_residual_max_s = undefined;
    double bound_s = undefined; ///< as at the opening
    int n_contradicted = 0;     ///< likewise
};

/// An array beside launch.json.
struct ArrayRecord {
    std::string name;
    std::string file;
    std::vector<std::uint64_t> shape;
};

/// Cases between two clock measurements.
struct BlockRecord {
    int block = 0; ///< the row of clocks.npy
    OpeningRecord opening;
    std::optional<ClosingRecord> closing; ///< absent where clocks are not synchronised
};

/// Smallest and largest; NaN: unknown.
struct Range {
    double min = undefined;
    double max = undefined;
};

/// The state of the machine at one moment, over all ranks that can tell.
struct ProbeRecord {
    int block = -1; ///< after this block; -1: before the first case
    double elapsed_s = undefined;
    Range line_round_trip_s;  ///< of a cache line between neighbouring ranks of a host
    Range block_round_trip_s; ///< of 4 KiB through their shared memory
    Range multiplications_hz; ///< dependent multiplications of a core
    Range copy_alone_bytes_per_s;
    Range copy_together_bytes_per_s; ///< a rank's, while all of its host copy
    Range leader_round_trip_s;       ///< between hosts, by the library's send and receive
};

struct MpiFacts {
    std::string library_version;
    std::string standard;     ///< "4.1"
    std::string thread_level; ///< "single", "funneled", "serialized", "multiple"
    std::optional<bool> wtime_is_global;
};

struct ClockRecord {
    std::string spec;
    double frequency_hz = undefined;
    std::string frequency_source;
    double resolution_s = undefined;
    double reading_s = undefined;   ///< what one reading costs
    std::vector<int> domain_leader; ///< for each rank: the first rank that reads the same counter
};

struct ClocksyncRecord {
    std::string spec;
    bool synchronised = false;
};

struct LaunchRecord {
    int n_ranks = 0;
    std::uint64_t seed = 0;
    std::string started; ///< ISO 8601 with zone
    double elapsed_s = undefined;
    MpiFacts mpi;
    BuildFacts core; ///< gives "ictus" as well
    ClockRecord clock;
    ClocksyncRecord clocksync;
    bool has_ordinary_heap = false; ///< the C library as it comes, which cannot be asked without a change
    EnvironmentEntries options;     ///< name and text of each launch-wide option
    std::string launcher; ///< JSON of the program that started the core (launcher.json), inserted as it is; empty: null
    std::vector<ProbeRecord> probes;
    std::vector<BlockRecord> blocks;
    std::vector<CaseRecord> cases; ///< in measuring order
    std::vector<machine::RankFactors> ranks;
    std::vector<machine::HostRecord> hosts;
    std::vector<int> host_of_rank; ///< index into the hosts
    EnvironmentEntries environment;
    machine::Contention contention{};
    std::vector<std::string> warnings;
};

class JsonWriter;

// For the documents of studies, which are one file: all ranks and hosts are in it.
/// These write members of the open object. The program, the launch, its time and its clock ("ictus" to "clock").
void write_origin(JsonWriter& json, const LaunchRecord& launch);
/// The options and the launcher ("options", "launcher").
void write_request(JsonWriter& json, const LaunchRecord& launch);
/// What may have changed the numbers ("ranks" to "warnings").
void write_conditions(JsonWriter& json, const LaunchRecord& launch);

/// Where freed memory goes: "kept" by the process, "returned" to the system, "mixed" where ranks differ, "unknown"
/// where a rank cannot tell; "ordinary" where nothing was done about it.
[[nodiscard]] std::string heap_policy(const LaunchRecord& launch);

/// The text of launch.json; `arrays` are the files beside it.
[[nodiscard]] std::string launch_json(const LaunchRecord& launch, const std::vector<ArrayRecord>& arrays);

} // namespace ictus::record

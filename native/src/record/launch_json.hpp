// launch.json as plain structs: filled while measuring, turned into text here. The keys are those of
// docs/file-format.md.
#pragma once

#include "base/summary.hpp"
#include "machine/counters.hpp"
#include "record/facts.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ictus::record {

/// Local durations of one case, one entry a rank; NaN where a rank has no valid sample.
struct PerRankSummary {
    std::vector<std::uint64_t> n;
    std::vector<double> mean_s;
    std::vector<double> min_s;
    std::vector<double> max_s;
    std::vector<double> median_s;
};

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
    std::string layout = "basic";       ///< in full form
    std::string communicator = "world"; ///< key "comm", in full form: which ranks called together, ...
    int n_together = 0;                 ///< key "comm_size": ... and how many
    std::optional<std::string> counts;  ///< absent where all blocks are of one size by themselves
    std::string procsync;               ///< this and the next three in their full form
    std::string scheme;
    std::string repetition;
    std::string cache;
    std::optional<std::uint64_t> cache_bytes; ///< the cache that was to be cold; absent where none was
    std::uint64_t warmup = 0;
    std::uint64_t calls = 1;                              ///< of a sample, whose times are per call
    std::vector<std::pair<std::string, double>> set_up_s; ///< what was made before the first call, on the slowest rank
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
    PerRankSummary per_rank;
};

/// The clock measurement that opens a block: per rank, global = own - (slope * own + intercept), as in
/// clockmath/clock_model.hpp.
struct OpeningRecord {
    double elapsed_s = undefined;
    std::uint64_t messages = 0;
    std::vector<double> slope;
    std::vector<double> intercept_s;
    std::vector<double> slope_error;
    std::vector<double> bound_s; ///< on the error of each rank's global time then; NaN where none is known
};

/// The clock measurement that closes it: how far each rank's model had gone astray, with sign.
struct ClosingRecord {
    double elapsed_s = undefined;
    std::uint64_t messages = 0;
    std::vector<double> residual_s; ///< of the opening model, extrapolated
    double residual_max_s = undefined;
    std::vector<double> interpolated_residual_s; ///< of the model that maps the stamps, in a measurement of its own
    double interpolated_residual_max_s = undefined;
    std::vector<double> bound_s; ///< as at the opening
};

/// Cases between two clock measurements.
struct BlockRecord {
    int block = 0;
    OpeningRecord opening;
    std::optional<ClosingRecord> closing; ///< absent where clocks are not synchronised
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
    std::vector<int> domain_leader; ///< of each rank: the first rank that was found to read the same counter
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
    EnvironmentEntries options; ///< name and text of each launch-wide option
    std::string launcher;       ///< JSON of whoever started the core (launcher.json), spliced in; empty: null
    std::vector<BlockRecord> blocks;
    std::vector<CaseRecord> cases;  ///< in measuring order
    std::vector<std::string> ranks; ///< JSON of RankFactors, gathered
    std::vector<std::string> hosts; ///< JSON of HostFactors, gathered
    EnvironmentEntries environment;
    machine::Contention contention{};
    std::vector<std::string> warnings;
};

class JsonWriter;

/// Members of the object that is open: who measured what, when and by which clock ("ictus" to "clock"), ...
void write_origin(JsonWriter& json, const LaunchRecord& launch);
/// ... how it was asked for ("options", "launcher"), ...
void write_request(JsonWriter& json, const LaunchRecord& launch);
/// ... and what may have changed the numbers ("ranks" to "warnings").
void write_conditions(JsonWriter& json, const LaunchRecord& launch);

/// The text of launch.json.
[[nodiscard]] std::string launch_json(const LaunchRecord& launch);

} // namespace ictus::record

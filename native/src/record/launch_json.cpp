#include "record/launch_json.hpp"

#include "record/json.hpp"

namespace ictus::record {

namespace {

constexpr int format = 1;

void write(JsonWriter& json, const MpiFacts& mpi) {
    json.begin_object();
    json.member("library_version", mpi.library_version);
    json.member("standard", mpi.standard);
    json.member("thread_level", mpi.thread_level);
    json.member("wtime_is_global", mpi.wtime_is_global);
    json.end_object();
}

void write(JsonWriter& json, const BuildFacts& core) {
    json.begin_object();
    json.member("compiler", core.compiler);
    json.member("flags", core.flags);
    json.member("build_type", core.build_type);
    json.member("source_hash", core.source_hash);
    json.end_object();
}

void write(JsonWriter& json, const ClockRecord& clock) {
    json.begin_object();
    json.member("spec", clock.spec);
    json.member("frequency_hz", clock.frequency_hz);
    json.member("frequency_source", clock.frequency_source);
    json.member("resolution_s", clock.resolution_s).member("reading_s", clock.reading_s);
    json.list("domain_leader", clock.domain_leader);
    json.end_object();
}

void write(JsonWriter& json, const ClocksyncRecord& clocksync) {
    json.begin_object();
    json.member("spec", clocksync.spec);
    json.member("synchronised", clocksync.synchronised);
    json.end_object();
}

void write(JsonWriter& json, const OpeningRecord& opening) {
    json.begin_object();
    json.member("elapsed_s", opening.elapsed_s);
    json.member("messages", opening.messages);
    json.list("slope", opening.slope);
    json.list("intercept_s", opening.intercept_s);
    json.list("slope_error", opening.slope_error);
    json.list("bound_s", opening.bound_s);
    json.end_object();
}

void write(JsonWriter& json, const ClosingRecord& closing) {
    json.begin_object();
    json.member("elapsed_s", closing.elapsed_s);
    json.member("messages", closing.messages);
    json.list("residual_s", closing.residual_s);
    json.member("residual_max_s", closing.residual_max_s);
    json.list("interpolated_residual_s", closing.interpolated_residual_s);
    json.member("interpolated_residual_max_s", closing.interpolated_residual_max_s);
    json.list("bound_s", closing.bound_s);
    json.end_object();
}

void write(JsonWriter& json, const BlockRecord& block) {
    json.begin_object();
    json.member("block", block.block);
    json.key("opening");
    write(json, block.opening);
    json.key("closing");
    if (block.closing) {
        write(json, *block.closing);
    } else {
        json.null();
    }
    json.end_object();
}

void write(JsonWriter& json, const PerRankSummary& per_rank) {
    json.begin_object();
    json.list("n", per_rank.n);
    json.list("mean_s", per_rank.mean_s);
    json.list("min_s", per_rank.min_s);
    json.list("max_s", per_rank.max_s);
    json.list("median_s", per_rank.median_s);
    json.end_object();
}

void write(JsonWriter& json, const CaseRecord& c) {
    json.begin_object();
    json.member("case_id", c.case_id);
    json.member("operation", c.operation);
    json.member("mpi_name", c.mpi_name);
    json.member("size_bytes", c.size_bytes);
    json.member("block_bytes", c.block_bytes);
    json.member("moved_bytes", c.moved_bytes);
    json.member("count", c.count);
    json.member("datatype", c.datatype);
    json.member("operator", c.reduction);
    if (c.root && c.root->rotates) {
        json.member("root", "rotating");
    } else {
        json.member("root", c.root ? std::optional(c.root->rank) : std::nullopt);
    }
    json.member("in_place", c.in_place);
    json.member("layout", c.layout);
    json.member("comm", c.communicator);
    json.member("comm_size", c.n_together);
    json.member("counts", c.counts);
    json.member("procsync", c.procsync);
    json.member("scheme", c.scheme);
    json.member("repetition", c.repetition);
    json.member("cache", c.cache);
    json.member("cache_bytes", c.cache_bytes);
    json.member("warmup", c.warmup);
    json.member("calls", c.calls);
    json.key("set_up_s").begin_object();
    for (const auto& [what, elapsed_s] : c.set_up_s) {
        json.member(what, elapsed_s);
    }
    json.end_object();
    json.member("validated", c.validated);
    json.member("block", c.block);
    json.member("headline", c.headline);
    json.member("attempted", c.attempted);
    json.member("valid", c.valid);
    json.member("late", c.n_late);
    json.member("long", c.n_long);
    json.member("rejected", c.n_rejected);
    json.member("window_s", c.window_s);
    json.member("started_s", c.started_s);
    json.member("elapsed_s", c.elapsed_s);
    json.key("per_rank");
    write(json, c.per_rank);
    json.end_object();
}

void write(JsonWriter& json, const EnvironmentEntries& entries) {
    json.begin_object();
    for (const auto& [name, text] : entries) {
        json.member(name, text);
    }
    json.end_object();
}

void write(JsonWriter& json, const machine::Contention& contention) {
    json.begin_object();
    json.member("run_queue_share", contention.run_queue_share);
    json.member("steal_share", contention.steal_share);
    json.member("share", contention.share);
    json.member("oversubscribed", contention.oversubscribed);
    json.member("contended", contention.contended);
    json.end_object();
}

template <class T>
void write_each(JsonWriter& json, const char* name, const std::vector<T>& items) {
    json.key(name).begin_array();
    for (const T& item : items) {
        write(json, item);
    }
    json.end_array();
}

void splice_each(JsonWriter& json, const char* name, const std::vector<std::string>& pieces) {
    json.key(name).begin_array();
    for (const std::string& piece : pieces) {
        json.raw(piece);
    }
    json.end_array();
}

template <class T>
void write_member(JsonWriter& json, const char* name, const T& content) {
    json.key(name);
    write(json, content);
}

} // namespace

void write_origin(JsonWriter& json, const LaunchRecord& launch) {
    json.member("ictus", launch.core.version);
    json.member("n_ranks", launch.n_ranks);
    json.member("seed", launch.seed);
    json.member("started", launch.started);
    json.member("elapsed_s", launch.elapsed_s);
    write_member(json, "mpi", launch.mpi);
    write_member(json, "core", launch.core);
    write_member(json, "clock", launch.clock);
}

void write_request(JsonWriter& json, const LaunchRecord& launch) {
    write_member(json, "options", launch.options);
    json.key("launcher").raw(launch.launcher.empty() ? "null" : launch.launcher);
}

void write_conditions(JsonWriter& json, const LaunchRecord& launch) {
    splice_each(json, "ranks", launch.ranks);
    splice_each(json, "hosts", launch.hosts);
    write_member(json, "environment", launch.environment);
    write_member(json, "contention", launch.contention);
    json.key("warnings").begin_array();
    for (const std::string& warning : launch.warnings) {
        json.value(warning);
    }
    json.end_array();
}

std::string launch_json(const LaunchRecord& launch) {
    JsonWriter json;
    json.begin_object().member("format", format);
    write_origin(json, launch);
    write_member(json, "clocksync", launch.clocksync);
    write_request(json, launch);
    write_each(json, "blocks", launch.blocks);
    write_each(json, "cases", launch.cases);
    write_conditions(json, launch);
    json.end_object();
    return json.take(true);
}

} // namespace ictus::record

#include "record/launch_json.hpp"

#include "record/json.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>

namespace ictus::record {

namespace {

constexpr int format = 2;

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

void write_clock(JsonWriter& json, const ClockRecord& clock, bool with_ranks) {
    json.key("clock").begin_object();
    json.member("spec", clock.spec);
    json.member("frequency_hz", clock.frequency_hz);
    json.member("frequency_source", clock.frequency_source);
    json.member("resolution_s", clock.resolution_s).member("reading_s", clock.reading_s);
    if (with_ranks) {
        json.list("domain_leader", clock.domain_leader);
    }
    json.end_object();
}

void write(JsonWriter& json, const ClocksyncRecord& clocksync) {
    json.begin_object();
    json.member("spec", clocksync.spec);
    json.member("synchronised", clocksync.synchronised);
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

void write_machine(JsonWriter& json, const std::vector<ProbeRecord>& probes) {
    const auto range = [&](const char* name, const Range& value) {
        json.key(name).begin_object(JsonWriter::Spacing::line);
        json.member("min", value.min).member("max", value.max).end_object();
    };
    json.key("machine").begin_object().key("probes").begin_array();
    for (const ProbeRecord& probe : probes) {
        json.begin_object();
        json.member("block", probe.block).member("elapsed_s", probe.elapsed_s);
        range("line_round_trip_s", probe.line_round_trip_s);
        range("block_round_trip_s", probe.block_round_trip_s);
        range("multiplications_hz", probe.multiplications_hz);
        range("copy_alone_bytes_per_s", probe.copy_alone_bytes_per_s);
        range("copy_together_bytes_per_s", probe.copy_together_bytes_per_s);
        range("leader_round_trip_s", probe.leader_round_trip_s);
        json.end_object();
    }
    json.end_array().end_object();
}

template <class T>
void write_member(JsonWriter& json, const char* name, const T& content) {
    json.key(name);
    write(json, content);
}

} // namespace

namespace {

void write_common_origin(JsonWriter& json, const LaunchRecord& launch, bool with_ranks) {
    json.member("ictus", launch.core.version);
    json.member("n_ranks", launch.n_ranks);
    json.member("seed", launch.seed);
    json.member("started", launch.started);
    json.member("elapsed_s", launch.elapsed_s);
    write_member(json, "mpi", launch.mpi);
    write_member(json, "core", launch.core);
    write_clock(json, launch.clock, with_ranks);
}

void write_surroundings(JsonWriter& json, const LaunchRecord& launch) {
    write_member(json, "environment", launch.environment);
    write_member(json, "contention", launch.contention);
    json.key("warnings").begin_array();
    for (const std::string& warning : launch.warnings) {
        json.value(warning);
    }
    json.end_array();
}

/// The number of ranks of each node. Two hosts of one name are two nodes.
std::vector<int> ranks_of_nodes(const LaunchRecord& launch) {
    std::map<std::pair<int, std::string>, int> counts;
    for (const machine::RankFactors& rank : launch.ranks) {
        ++counts[{launch.host_of_rank.at(static_cast<std::size_t>(rank.rank)), rank.node}];
    }
    std::vector<int> n_ranks;
    for (const auto& [node, n] : counts) {
        n_ranks.push_back(n);
    }
    return n_ranks;
}

void write_hosts(JsonWriter& json, const LaunchRecord& launch) {
    const std::vector<int> n_ranks = ranks_of_nodes(launch);
    const auto [least, most] = std::ranges::minmax_element(n_ranks);
    json.member("nodes", n_ranks.size());
    json.key("ranks_per_node").begin_object(JsonWriter::Spacing::line);
    json.member("min", n_ranks.empty() ? 0 : *least);
    json.member("max", n_ranks.empty() ? 0 : *most);
    json.end_object();
    json.key("kinds").begin_array();
    for (const std::string& kind : machine::kinds_of(launch.hosts)) {
        json.raw(kind);
    }
    json.end_array();
}

void write_arrays(JsonWriter& json, const std::vector<ArrayRecord>& arrays) {
    json.key("arrays").begin_object();
    for (const ArrayRecord& array : arrays) {
        json.key(array.name).begin_object(JsonWriter::Spacing::line);
        json.member("file", array.file).list("shape", array.shape);
        json.end_object();
    }
    json.end_object();
}

} // namespace

void write_origin(JsonWriter& json, const LaunchRecord& launch) { write_common_origin(json, launch, true); }

void write_request(JsonWriter& json, const LaunchRecord& launch) {
    write_member(json, "options", launch.options);
    json.key("launcher").raw(launch.launcher.empty() ? "null" : launch.launcher);
}

void write_conditions(JsonWriter& json, const LaunchRecord& launch) {
    json.key("ranks").begin_object();
    machine::write_columns(json, std::span<const machine::RankFactors>(launch.ranks));
    json.end_object().key("hosts").begin_object();
    machine::write_columns(json, std::span<const machine::HostRecord>(launch.hosts));
    json.end_object();
    write_surroundings(json, launch);
}

std::string heap_policy(const LaunchRecord& launch) {
    const auto says = [&](std::optional<bool> what) {
        return std::ranges::any_of(
            launch.ranks, [what](const machine::RankFactors& rank) { return rank.keeps_freed_memory == what; });
    };
    if (launch.has_ordinary_heap) {
        return "ordinary";
    }
    if (launch.ranks.empty() || says(std::nullopt)) {
        return "unknown";
    }
    return says(true) && says(false) ? "mixed" : says(true) ? "kept" : "returned";
}

std::string launch_json(const LaunchRecord& launch, const std::vector<ArrayRecord>& arrays) {
    JsonWriter json;
    json.begin_object().member("format", format);
    write_common_origin(json, launch, false);
    write_member(json, "clocksync", launch.clocksync);
    write_request(json, launch);
    write_hosts(json, launch);
    json.member("heap", heap_policy(launch));
    write_machine(json, launch.probes);
    write_arrays(json, arrays);
    write_surroundings(json, launch);
    json.end_object();
    return json.take(true);
}

} // namespace ictus::record

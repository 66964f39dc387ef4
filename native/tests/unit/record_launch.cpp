// launch.json and the arrays beside it: the whole text of a small launch, each array's columns, and what is unknown.
#include "check.hpp"
#include "record/json.hpp"
#include "record/launch_arrays.hpp"
#include "record/launch_json.hpp"

#include <cmath>
#include <cstring>

using namespace ictus::record;

namespace {

ictus::machine::HostRecord host(const std::string& name, const std::string& kind, int n_ranks) {
    ictus::machine::HostRecord one;
    one.name = name;
    one.kind = kind;
    one.n_ranks = n_ranks;
    return one;
}

LaunchRecord small_launch() {
    LaunchRecord launch;
    launch.n_ranks = 2;
    launch.seed = 18446744073709551615ULL;
    launch.started = "2025-03-01T12:00:00.250+01:00";
    launch.elapsed_s = 1.5;
    launch.mpi = {"Library 1.2\nbuilt today", "4.1", "single", false};
    launch.core = {"0.1.0", "gcc 12.2.0", "-O3", "release", "c0ffee"};
    launch.clock = {"tsc", 2e9, "kernel", 5e-10, 2e-8, {0, 0}};
    launch.clocksync = {"hca3(drift=regression,offset=skampi)", true};
    launch.options = {{"validate", "on"}, {"block-time", "5s"}};
    launch.launcher = "{\"command\": [\"mpiexec\"]}";
    BlockRecord block;
    block.opening = {0.01, 400, 5e-7, 0};
    block.closing = ClosingRecord{0.005, 20, 3e-8, 2e-9, 4e-7};
    launch.blocks = {block};
    launch.probes = {{.block = -1,
                      .elapsed_s = 1e-3,
                      .line_round_trip_s = {4.3e-8, 1.24e-7},
                      .block_round_trip_s = {5e-7, 6e-7},
                      .multiplications_hz = {1.2e9, 1.3e9},
                      .copy_alone_bytes_per_s = {2e10, 2e10},
                      .copy_together_bytes_per_s = {1e10, 1.5e10},
                      .leader_round_trip_s = {}}};
    CaseRecord c;
    c.case_id = 3;
    c.operation = "bcast";
    c.mpi_name = "MPI_Bcast";
    c.size_bytes = c.block_bytes = c.moved_bytes = 8;
    c.count = 1;
    c.datatype = "double";
    c.root = Root{};
    c.n_together = 2;
    c.procsync = "window(size=auto)";
    c.scheme = "per-call";
    c.repetition = "fixed(1000)";
    c.cache = "warm";
    c.warmup = 20;
    c.calls = 7;
    c.set_up_s = {{"topology", 0.002}};
    c.validated = true;
    c.headline = "makespan";
    c.attempted = 1010;
    c.valid = 1000;
    c.n_late = 7;
    c.n_long = 4;
    c.n_rejected = 5;
    c.window_s = 1e-5;
    c.started_s = 0.5;
    c.elapsed_s = 0.25;
    launch.cases = {c};
    launch.ranks.resize(2);
    launch.ranks[1].rank = 1;
    launch.ranks[0].node = "n1";
    launch.ranks[1].node = "n2";
    launch.ranks[0].cpus_allowed = "0-3,8";
    launch.ranks[0].keeps_freed_memory = launch.ranks[1].keeps_freed_memory = true;
    launch.ranks[1].epoch_ticks = (std::int64_t{1} << 53) + 1; // an integer that no double holds
    launch.hosts = {host("n1", R"({"cpu_model": "a"})", 1), host("n2", R"({"cpu_model": "a"})", 1)};
    launch.host_of_rank = {0, 1};
    launch.environment = {{"LD_PRELOAD", "a.so"}};
    launch.contention = {0.001, 0.0, 0.001, false, false};
    launch.warnings = {"size 9 was rounded up"};
    return launch;
}

constexpr const char* small_launch_text = R"json({
  "format": 2,
  "ictus": "0.1.0",
  "n_ranks": 2,
  "seed": 18446744073709551615,
  "started": "2025-03-01T12:00:00.250+01:00",
  "elapsed_s": 1.5,
  "mpi": {
    "library_version": "Library 1.2\nbuilt today",
    "standard": "4.1",
    "thread_level": "single",
    "wtime_is_global": false
  },
  "core": {
    "compiler": "gcc 12.2.0",
    "flags": "-O3",
    "build_type": "release",
    "source_hash": "c0ffee"
  },
  "clock": {
    "spec": "tsc",
    "frequency_hz": 2e+09,
    "frequency_source": "kernel",
    "resolution_s": 5e-10,
    "reading_s": 2e-08
  },
  "clocksync": {
    "spec": "hca3(drift=regression,offset=skampi)",
    "synchronised": true
  },
  "options": {
    "validate": "on",
    "block-time": "5s"
  },
  "launcher": {"command": ["mpiexec"]},
  "nodes": 2,
  "ranks_per_node": {"min": 1, "max": 1},
  "kinds": [
    {"cpu_model": "a"}
  ],
  "heap": "kept",
  "machine": {
    "probes": [
      {
        "block": -1,
        "elapsed_s": 0.001,
        "line_round_trip_s": {"min": 4.3e-08, "max": 1.24e-07},
        "block_round_trip_s": {"min": 5e-07, "max": 6e-07},
        "multiplications_hz": {"min": 1.2e+09, "max": 1.3e+09},
        "copy_alone_bytes_per_s": {"min": 2e+10, "max": 2e+10},
        "copy_together_bytes_per_s": {"min": 1e+10, "max": 1.5e+10},
        "leader_round_trip_s": {"min": null, "max": null}
      }
    ]
  },
  "arrays": {
    "samples": {"file": "samples.npy", "shape": [1010]},
    "case_ranks": {"file": "case_ranks.npy", "shape": [1, 2]}
  },
  "environment": {
    "LD_PRELOAD": "a.so"
  },
  "contention": {
    "run_queue_share": 0.001,
    "steal_share": 0,
    "share": 0.001,
    "oversubscribed": false,
    "contended": false
  },
  "warnings": [
    "size 9 was rounded up"
  ]
}
)json";

const std::vector<ArrayRecord> arrays{{"samples", "samples.npy", {1010}}, {"case_ranks", "case_ranks.npy", {1, 2}}};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The column of one record, found by its descriptor as NumPy would.
std::string cell(const StructuredArray& array, std::size_t record, const std::string& name) {
    const std::string descriptor = array.descriptor();
    std::size_t offset = record * array.record_bytes();
    for (std::size_t at = descriptor.find("('"); at != std::string::npos; at = descriptor.find("('", at + 1)) {
        const std::size_t type = descriptor.find("', '", at) + 4;
        const std::string type_text = descriptor.substr(type, descriptor.find('\'', type) - type);
        const std::size_t width = std::stoul(type_text.substr(2));
        if (descriptor.substr(at + 2, type - 4 - at - 2) == name) {
            const std::vector<std::byte> bytes = array.bytes();
            return {reinterpret_cast<const char*>(bytes.data()) + offset, width};
        }
        offset += width;
    }
    return "no such column";
}

template <class Value>
Value number(const StructuredArray& array, std::size_t record, const std::string& name) {
    const std::string bytes = cell(array, record, name);
    Value value{};
    CHECK_EQ(sizeof(Value), bytes.size());
    std::memcpy(&value, bytes.data(), sizeof(Value));
    return value;
}

} // namespace

TEST(small_launch_is_the_documented_text) {
    CHECK_EQ(std::string(small_launch_text), launch_json(small_launch(), arrays));
}

TEST(size_of_the_text_does_not_grow_with_ranks_cases_or_blocks) {
    LaunchRecord launch = small_launch();
    const std::size_t small = launch_json(launch, {}).size();
    launch.cases.resize(100, launch.cases[0]);
    launch.blocks.resize(50, launch.blocks[0]);
    launch.ranks.resize(64, launch.ranks[0]);
    launch.hosts.resize(64, launch.hosts[0]);
    launch.clock.domain_leader.resize(64);
    CHECK_EQ(small + 1, launch_json(launch, {}).size()); // 64 nodes for 2
}

TEST(what_does_not_exist_is_null_and_not_zero) {
    LaunchRecord launch = small_launch();
    launch.mpi.wtime_is_global.reset();
    launch.contention = ictus::machine::contention_verdict({}, {}, false);
    const std::string text = launch_json(launch, {});
    for (const char* key : {"run_queue_share", "steal_share", "share", "contended", "wtime_is_global"}) {
        CHECK(holds(text, "\"" + std::string(key) + "\": null"));
    }
}

TEST(launch_without_cases_is_still_whole) {
    const std::string text = launch_json(LaunchRecord{}, {});
    for (const char* empty : {"\"options\": {}", "\"kinds\": []", "\"arrays\": {}", "\"warnings\": []",
                              "\"heap\": \"unknown\"", "\"nodes\": 0"}) {
        CHECK(holds(text, empty));
    }
    CHECK_EQ(std::size_t{0}, case_array(LaunchRecord{}).bytes().size());
}

TEST(heap_is_what_all_ranks_say) {
    LaunchRecord launch = small_launch();
    launch.ranks[1].keeps_freed_memory = false;
    CHECK_EQ(std::string("mixed"), heap_policy(launch));
    launch.ranks[0].keeps_freed_memory = false;
    CHECK_EQ(std::string("returned"), heap_policy(launch));
    launch.ranks[0].keeps_freed_memory.reset();
    CHECK_EQ(std::string("unknown"), heap_policy(launch));
    launch.has_ordinary_heap = true;
    CHECK_EQ(std::string("ordinary"), heap_policy(launch));
}

TEST(cases_are_records_whose_texts_are_as_wide_as_the_longest) {
    LaunchRecord launch = small_launch();
    launch.cases.push_back(launch.cases[0]);
    CaseRecord& second = launch.cases[1];
    second.operation = "allreduce";
    second.reduction = "sum";
    second.root.reset();
    second.window_s = ictus::undefined;
    second.cache_bytes = 1U << 20U;
    second.set_up_s = {{"schedule", 0.5}, {"datatypes", 1e-5}};
    const StructuredArray cases = case_array(launch);
    CHECK_EQ(2 * cases.record_bytes(), cases.bytes().size());
    CHECK(holds(cases.descriptor(), "('operation', '|S9'), ('mpi_name', '|S9'), ('size_bytes', '<i8')"));
    CHECK_EQ(std::uint32_t{3}, number<std::uint32_t>(cases, 0, "case_id"));
    CHECK_EQ(std::string("bcast\0\0\0\0", 9), cell(cases, 0, "operation"));
    CHECK_EQ(std::string("allreduce"), cell(cases, 1, "operation"));
    CHECK_EQ(std::string(3, '\0'), cell(cases, 0, "operator"));
    CHECK_EQ(std::int32_t{0}, number<std::int32_t>(cases, 0, "root"));
    CHECK_EQ(std::int32_t{-1}, number<std::int32_t>(cases, 1, "root"));
    CHECK_EQ(std::int32_t{0}, number<std::int32_t>(cases, 1, "timed_root"));
    CHECK_EQ(std::int64_t{-1}, number<std::int64_t>(cases, 0, "cache_bytes"));
    CHECK_EQ(std::int64_t{1 << 20}, number<std::int64_t>(cases, 1, "cache_bytes"));
    CHECK_EQ(1e-5, number<double>(cases, 0, "window_s"));
    CHECK(std::isnan(number<double>(cases, 1, "window_s")));
    CHECK_EQ(std::string("schedule=0.5,datatypes=1e-05"), cell(cases, 1, "set_up_s"));
    CHECK_EQ(std::int64_t{7}, number<std::int64_t>(cases, 0, "late"));
    CHECK_EQ(std::int8_t{1}, number<std::int8_t>(cases, 0, "validated"));
    launch.cases[0].root = Root{.rank = 0, .rotates = true};
    CHECK_EQ(std::int32_t{-2}, number<std::int32_t>(case_array(launch), 0, "root"));
    CHECK_EQ(std::int32_t{-2}, number<std::int32_t>(case_array(launch), 0, "timed_root"));
}

TEST(blocks_without_an_end_have_no_numbers_of_it) {
    LaunchRecord launch = small_launch();
    CHECK_EQ(3e-8, number<double>(block_array(launch), 0, "residual_max_s"));
    CHECK_EQ(std::int64_t{20}, number<std::int64_t>(block_array(launch), 0, "closing_messages"));
    launch.blocks[0].closing.reset();
    CHECK_EQ(std::int64_t{400}, number<std::int64_t>(block_array(launch), 0, "opening_messages"));
    CHECK_EQ(std::int64_t{-1}, number<std::int64_t>(block_array(launch), 0, "closing_messages"));
    CHECK(std::isnan(number<double>(block_array(launch), 0, "closing_bound_s")));
}

TEST(ranks_name_their_host_and_hosts_their_kind) {
    LaunchRecord launch = small_launch();
    launch.hosts.push_back(host("n3", R"({"cpu_model": "b"})", 2));
    const StructuredArray ranks = rank_array(launch);
    CHECK_EQ(std::string("0-3,8\0\0", 7), cell(ranks, 0, "cpus_allowed"));
    CHECK_EQ(std::string("unknown"), cell(ranks, 1, "cpus_allowed"));
    CHECK_EQ(std::int32_t{1}, number<std::int32_t>(ranks, 1, "host"));
    CHECK_EQ(std::string("n2"), cell(ranks, 1, "node"));
    CHECK_EQ(std::int64_t{-1}, number<std::int64_t>(ranks, 0, "epoch_ticks"));
    CHECK_EQ((std::int64_t{1} << 53) + 1, number<std::int64_t>(ranks, 1, "epoch_ticks"));
    CHECK(std::isnan(number<double>(ranks, 0, "cpu_time_s")));
    CHECK_EQ(std::int32_t{0}, number<std::int32_t>(ranks, 1, "domain_leader"));
    const StructuredArray hosts = host_array(launch);
    CHECK_EQ(std::string("n3"), cell(hosts, 2, "name"));
    CHECK_EQ(std::int32_t{0}, number<std::int32_t>(hosts, 1, "kind"));
    CHECK_EQ(std::int32_t{1}, number<std::int32_t>(hosts, 2, "kind"));
    CHECK_EQ(std::size_t{2}, ictus::machine::kinds_of(launch.hosts).size());
}

TEST(several_nodes_of_a_batch_system_may_be_one_host) {
    LaunchRecord launch = small_launch();
    launch.hosts = {host("n1", R"({"cpu_model": "a"})", 2)};
    launch.host_of_rank = {0, 0};
    CHECK(launch_json(launch, {}).find("\"nodes\": 2,\n  \"ranks_per_node\": {\"min\": 1, \"max\": 1}") !=
          std::string::npos);
    launch.ranks[1].node = "n1";
    CHECK(launch_json(launch, {}).find("\"nodes\": 1,\n  \"ranks_per_node\": {\"min\": 2, \"max\": 2}") !=
          std::string::npos);
    launch.host_of_rank = {0, 1}; // two hosts of one name
    CHECK(launch_json(launch, {}).find("\"nodes\": 2") != std::string::npos);
}

TEST(documents_of_studies_have_all_ranks_and_hosts) {
    const LaunchRecord launch = small_launch();
    JsonWriter json;
    json.begin_object();
    write_origin(json, launch);
    write_conditions(json, launch);
    json.end_object();
    const std::string text = json.take();
    CHECK(holds(text, "\"domain_leader\": [0, 0]"));
    CHECK(holds(text, "\"node\": [\"n1\", \"n2\"],"));
    CHECK(holds(text, "\"epoch_ticks\": [null, 9007199254740993],"));
    CHECK(holds(text, "\"host\": [\"n1\", \"n2\"],"));
    CHECK(holds(text, "\"load_average\": [[0, 0, 0], [0, 0, 0]],"));
}

TEST(of_more_ranks_a_document_of_a_study_has_values_and_no_more_names) {
    const auto bytes_of = [](std::size_t n_ranks) {
        LaunchRecord launch = small_launch();
        launch.ranks.assign(n_ranks, launch.ranks[1]);
        launch.hosts.assign(n_ranks / 8, launch.hosts[0]);
        JsonWriter json;
        json.begin_object();
        write_conditions(json, launch);
        json.end_object();
        return json.take().size();
    };
    const double a_rank = static_cast<double>(bytes_of(16384) - bytes_of(1024)) / (16384 - 1024);
    std::printf("%.0f bytes a rank\n", a_rank);
    CHECK(a_rank > 80.0 && a_rank < 130.0); // values alone; 15 names of fields are 220 bytes more
    CHECK(bytes_of(16384) < 130U * 16384U);
}

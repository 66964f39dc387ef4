// launch.json: the whole text of a small launch, and what becomes null.
#include "check.hpp"
#include "record/launch_json.hpp"

using namespace ictus::record;

namespace {

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
    block.opening = {0.01, 400, {0.0, 1e-6}, {0.0, -0.25}, {0.0, 2e-9}, {0.0, 5e-7}};
    block.closing = ClosingRecord{0.005, 20, {0.0, -3e-8}, 3e-8, {0.0, 2e-9}, 2e-9, {0.0, 4e-7}};
    launch.blocks = {block};
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
    c.per_rank = {{1000, 1000}, {1e-6, 2e-6}, {5e-7, 6e-7}, {1e-4, 2e-4}, {9e-7, 1.8e-6}};
    launch.cases = {c};
    launch.ranks = {R"({"rank": 0})", R"({"rank": 1})"};
    launch.hosts = {R"({"host": "n1"})"};
    launch.environment = {{"LD_PRELOAD", "a.so"}};
    launch.contention = {0.001, 0.0, 0.001, false, false};
    launch.warnings = {"size 9 was rounded up"};
    return launch;
}

constexpr const char* small_launch_text = R"json({
  "format": 1,
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
    "reading_s": 2e-08,
    "domain_leader": [0, 0]
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
  "blocks": [
    {
      "block": 0,
      "opening": {
        "elapsed_s": 0.01,
        "messages": 400,
        "slope": [0, 1e-06],
        "intercept_s": [0, -0.25],
        "slope_error": [0, 2e-09],
        "bound_s": [0, 5e-07]
      },
      "closing": {
        "elapsed_s": 0.005,
        "messages": 20,
        "residual_s": [0, -3e-08],
        "residual_max_s": 3e-08,
        "interpolated_residual_s": [0, 2e-09],
        "interpolated_residual_max_s": 2e-09,
        "bound_s": [0, 4e-07]
      }
    }
  ],
  "cases": [
    {
      "case_id": 3,
      "operation": "bcast",
      "mpi_name": "MPI_Bcast",
      "size_bytes": 8,
      "block_bytes": 8,
      "moved_bytes": 8,
      "count": 1,
      "datatype": "double",
      "operator": null,
      "root": 0,
      "in_place": false,
      "layout": "basic",
      "comm": "world",
      "comm_size": 2,
      "counts": null,
      "procsync": "window(size=auto)",
      "scheme": "per-call",
      "repetition": "fixed(1000)",
      "cache": "warm",
      "cache_bytes": null,
      "warmup": 20,
      "calls": 7,
      "set_up_s": {
        "topology": 0.002
      },
      "validated": true,
      "block": 0,
      "headline": "makespan",
      "attempted": 1010,
      "valid": 1000,
      "late": 7,
      "long": 4,
      "rejected": 5,
      "window_s": 1e-05,
      "started_s": 0.5,
      "elapsed_s": 0.25,
      "per_rank": {
        "n": [1000, 1000],
        "mean_s": [1e-06, 2e-06],
        "min_s": [5e-07, 6e-07],
        "max_s": [1e-04, 2e-04],
        "median_s": [9e-07, 1.8e-06]
      }
    }
  ],
  "ranks": [
    {"rank": 0},
    {"rank": 1}
  ],
  "hosts": [
    {"host": "n1"}
  ],
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

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST(small_launch_is_the_documented_text) { CHECK_EQ(std::string(small_launch_text), launch_json(small_launch())); }

TEST(what_does_not_exist_is_null_and_not_zero) {
    LaunchRecord launch = small_launch();
    launch.blocks[0].closing.reset();
    launch.mpi.wtime_is_global.reset();
    launch.cases[0].window_s = ictus::undefined;
    launch.cases[0].root.reset();
    launch.cases[0].reduction = "sum";
    launch.cases[0].per_rank = {
        {0, 1}, {ictus::undefined, 1e-6}, {ictus::undefined, 1e-6}, {ictus::undefined, 1e-6}, {ictus::undefined, 1e-6}};
    launch.contention = ictus::machine::contention_verdict({}, {}, false);
    const std::string text = launch_json(launch);
    CHECK(holds(text, "\"closing\": null"));
    CHECK(holds(text, "\"wtime_is_global\": null"));
    CHECK(holds(text, "\"window_s\": null"));
    CHECK(holds(text, "\"root\": null"));
    launch.cases[0].root = Root{.rank = 0, .rotates = true};
    CHECK(holds(launch_json(launch), "\"root\": \"rotating\""));
    CHECK(holds(text, "\"operator\": \"sum\""));
    CHECK(holds(text, "\"mean_s\": [null, 1e-06]"));
    for (const char* key : {"run_queue_share", "steal_share", "share", "contended"}) {
        CHECK(holds(text, "\"" + std::string(key) + "\": null"));
    }
}

TEST(launch_without_cases_is_still_whole) {
    const std::string text = launch_json(LaunchRecord{});
    for (const char* empty :
         {"\"options\": {}", "\"blocks\": []", "\"cases\": []", "\"ranks\": []", "\"warnings\": []"}) {
        CHECK(holds(text, empty));
    }
}

// Factors, read from trees that play /proc and /sys.
#include "check.hpp"
#include "machine/core_place.hpp"
#include "machine/cpu_set.hpp"
#include "machine/factors.hpp"
#include "record/facts.hpp"
#include "record/json.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace ictus::machine;
using namespace ictus::record;

namespace {

const std::string sys_cpu = "sys/devices/system/cpu/";

/// A tree of files that plays the machine, gone afterwards.
class FakeMachine {
public:
    FakeMachine() {
        std::string name = (std::filesystem::temp_directory_path() / "ictus-machine-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            throw std::runtime_error("no temporary folder");
        }
        root_ = name;
    }
    ~FakeMachine() { std::filesystem::remove_all(root_); }
    FakeMachine(const FakeMachine&) = delete;
    FakeMachine& operator=(const FakeMachine&) = delete;

    FakeMachine& file(const std::string& path, const std::string& text) {
        const std::filesystem::path full = std::filesystem::path(root_) / path;
        std::filesystem::create_directories(full.parent_path());
        std::ofstream(full) << text;
        return *this;
    }
    [[nodiscard]] SystemTree tree() const { return SystemTree(root_); }

private:
    std::string root_;
};

std::string columns_of(const std::vector<HostRecord>& hosts) {
    JsonWriter json;
    json.begin_object();
    write_columns(json, hosts);
    json.end_object();
    return json.take();
}

} // namespace

TEST(bare_machine_tells_nothing_and_nothing_is_guessed) {
    const FakeMachine machine;
    const HostFactors factors = read_host_factors(4, machine.tree());
    CHECK_EQ(std::string("unknown"), factors.cpu.model);
    CHECK_EQ(std::string("unknown"), factors.cpu.smt);
    CHECK_EQ(std::string("unknown"), factors.cpu.turbo);
    CHECK_EQ(std::string("unknown"), factors.container.kind);
    CHECK(!factors.cpu.n_cpus && !factors.cpu.frequency_max_hz && !factors.container.quota_cpus);
    const HostRecord host = host_from_message(to_message(host_record(factors)));
    const std::string json = columns_of({host, host});
    CHECK(json.find(
              "[\n    {\"cpu_model\": \"unknown\", \"n_cpus\": null, \"smt\": \"unknown\", \"governor\": \"unknown\", "
              "\"frequency_min_hz\": null, \"frequency_max_hz\": null, \"turbo\": \"unknown\", \"kernel\": \"") !=
          std::string::npos);
    CHECK(json.find("\"clocksource\": \"unknown\", \"tsc_invariant\": null, \"siblings\": [], \"sockets\": [], "
                    "\"huge_pages\": \"unknown\", \"shm_bytes\": null, \"container\": \"unknown\", "
                    "\"quota_cpus\": null, \"library\": \"unknown\", \"network\": [], \"caches\": null}\n  ],\n"
                    "  \"kind\": [0, 0],\n") != std::string::npos); // once for both
    CHECK(json.ends_with("\"n_ranks\": [4, 4],\n  \"load_average\": [null, null],\n"
                         "  \"steal_s\": [null, null],\n  \"busy_s\": [null, null]\n}"));
    CHECK_EQ(factors.host.name, host.name);
    CHECK(!read_scheduler_counters(machine.tree()) && read_cpu_counters(machine.tree()).empty());
}

TEST(x86_machine_is_read) {
    FakeMachine machine;
    machine.file("proc/cpuinfo",
                 "processor\t: 0\nmodel name\t: Chip 9000 @ 2.00GHz\nflags\t\t: fpu tsc constant_tsc nonstop_tsc\n\n"
                 "processor\t: 1\nmodel name\t: Chip 9000 @ 2.00GHz\n");
    machine.file(sys_cpu + "online", "0,2-3\n").file(sys_cpu + "smt/active", "1\n");
    machine.file(sys_cpu + "cpu0/cpufreq/scaling_governor", "performance\n")
        .file(sys_cpu + "cpu0/cpufreq/scaling_min_freq", "800000\n");
    machine.file(sys_cpu + "cpu2/cpufreq/scaling_governor", "powersave\n")
        .file(sys_cpu + "cpu2/cpufreq/scaling_max_freq", "3500000\n");
    machine.file(sys_cpu + "cpu3/cpufreq/scaling_governor", "performance\n")
        .file(sys_cpu + "cpu3/cpufreq/scaling_max_freq", "3600000\n");
    machine.file(sys_cpu + "intel_pstate/no_turbo", "0\n");
    const CpuFacts cpu = read_cpu(machine.tree());
    CHECK_EQ(std::string("Chip 9000 @ 2.00GHz"), cpu.model);
    CHECK(cpu.has_flag("constant_tsc") && !cpu.has_flag("constant"));
    CHECK_EQ(3, cpu.n_cpus.value());
    CHECK_EQ(std::string("on"), cpu.smt);
    CHECK_EQ(std::string("performance, powersave"), cpu.governor);
    CHECK_EQ(8e8, cpu.frequency_min_hz.value());
    CHECK_EQ(3.6e9, cpu.frequency_max_hz.value());
    CHECK_EQ(std::string("on"), cpu.turbo);
}

TEST(networks_are_named_with_their_speed_where_it_is_told) {
    FakeMachine machine;
    machine.file("sys/class/net/lo/operstate", "unknown\n").file("sys/class/net/eth1/operstate", "down\n");
    machine.file("sys/class/net/eth0/operstate", "up\n").file("sys/class/net/eth0/speed", "10000\n");
    machine.file("sys/class/net/ib0/operstate", "up\n").file("sys/class/net/ib0/speed", "-1\n");
    machine.file("sys/class/infiniband/mlx5_0/node_type", "1: CA\n");
    const std::vector<std::string> expected{"mlx5_0", "eth0 (10000 Mb/s)", "ib0"};
    CHECK(read_host(machine.tree()).network == expected);
}

TEST(arm_machine_is_named_by_its_numbers) {
    FakeMachine machine;
    machine.file("proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\n"
                                 "CPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n\nprocessor\t: 1\n");
    machine.file(sys_cpu + "cpu0/topology/thread_siblings_list", "0\n").file(sys_cpu + "cpufreq/boost", "0\n");
    const CpuFacts cpu = read_cpu(machine.tree());
    CHECK_EQ(std::string("Arm implementer 0x41 part 0xd0c variant 0x3 revision 1"), cpu.model);
    CHECK(cpu.has_flag("asimd"));
    CHECK_EQ(2, cpu.n_cpus.value());
    CHECK_EQ(std::string("off"), cpu.smt);
    CHECK_EQ(std::string("off"), cpu.turbo);
}

TEST(container_and_the_tightest_quota_are_seen) {
    FakeMachine machine;
    machine.file(".dockerenv", "").file("proc/self/cgroup", "0::/jobs/mine\n");
    machine.file("sys/fs/cgroup/jobs/mine/cpu.max", "max 100000\n")
        .file("sys/fs/cgroup/jobs/cpu.max", "150000 100000\n");
    machine.file("sys/fs/cgroup/cpu.max", "400000 100000\n");
    const ContainerFacts facts = read_container(machine.tree());
    CHECK_EQ(std::string("docker"), facts.kind);
    CHECK_EQ(1.5, facts.quota_cpus.value());
}

TEST(plain_machine_is_no_container) {
    FakeMachine machine;
    machine.file("proc/self/cgroup", "0::/user.slice\n").file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    machine.file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    CHECK_EQ(std::string("none"), read_container(machine.tree()).kind);
    CHECK(!read_container(machine.tree()).quota_cpus);
    machine.file("proc/self/cgroup", "3:cpu:/kubepods/besteffort\n");
    CHECK_EQ(std::string("kubernetes"), read_container(machine.tree()).kind);
}

TEST(sockets_are_the_cpus_of_each_package) {
    FakeMachine machine;
    machine.file(sys_cpu + "online", "0-3\n");
    for (const int cpu : {0, 1, 2, 3}) {
        CHECK(read_cpu(machine.tree()).sockets.empty()); // one does not say
        machine.file(sys_cpu + "cpu" + std::to_string(cpu) + "/topology/physical_package_id",
                     cpu % 2 == 0 ? "0\n" : "1\n");
    }
    const std::vector<std::string> expected{"0,2", "1,3"};
    CHECK(read_cpu(machine.tree()).sockets == expected);
}

TEST(a_rank_shares_the_socket_and_the_last_cache_of_its_cores) {
    FakeMachine machine;
    for (int cpu = 0; cpu < 8; ++cpu) { // two sockets of two caches, each behind two CPUs
        const std::string folder = sys_cpu + "cpu" + std::to_string(cpu) + "/";
        const std::string pair = std::to_string(cpu / 2 * 2) + "-" + std::to_string(cpu / 2 * 2 + 1);
        machine.file(folder + "topology/physical_package_id", std::to_string(cpu / 4))
            .file(folder + "cache/index0/level", "1")
            .file(folder + "cache/index0/shared_cpu_list", std::to_string(cpu))
            .file(folder + "cache/index3/level", "3")
            .file(folder + "cache/index3/shared_cpu_list", pair + "\n");
    }
    CHECK(core_place(machine.tree(), {5}) == (CorePlace{1, 4}));
    CHECK(core_place(machine.tree(), {2, 3}) == (CorePlace{0, 2}));
    CHECK(core_place(machine.tree(), {1, 2}) == (CorePlace{0, std::nullopt}));
    CHECK(core_place(machine.tree(), {3, 4}) == CorePlace());
    CHECK(core_place(machine.tree(), {}) == CorePlace());
    CHECK(core_place(machine.tree(), {8}) == CorePlace());
}

TEST(cores_of_several_threads_huge_pages_and_the_time_stamp_counter_are_seen) {
    FakeMachine machine;
    machine.file(sys_cpu + "online", "0-3\n").file(sys_cpu + "cpu0/topology/thread_siblings_list", "0,2\n");
    machine.file(sys_cpu + "cpu1/topology/thread_siblings_list", "1\n");
    machine.file(sys_cpu + "cpu2/topology/thread_siblings_list", "0,2\n");
    machine.file("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu tsc constant_tsc\n");
    machine.file("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    const CpuFacts cpu = read_cpu(machine.tree());
    CHECK(cpu.siblings == std::vector<std::string>{"0,2"}); // once, and no core of one thread
    CHECK(cpu.tsc_invariant() == std::optional(false));
    CHECK_EQ(std::string("madvise"), read_host(machine.tree()).huge_pages);
    machine.file("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu tsc constant_tsc nonstop_tsc\n");
    CHECK(read_cpu(machine.tree()).tsc_invariant() == std::optional(true));
    machine.file("proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd\n");
    CHECK(!read_cpu(machine.tree()).tsc_invariant());
}

TEST(counters_are_read_as_the_kernel_prints_them) {
    FakeMachine machine;
    machine.file("proc/self/schedstat", "1500000000 250000000 12\n");
    machine.file("proc/stat",
                 "cpu  30 0 0 0 0 0 0 9 0 0\ncpu0 1 2 3 1000 50 6 7 8 1 0\ncpu12 10 0 0 0 0 0 0 1 0 0\nintr 5\n");
    const SchedulerCounters scheduler = read_scheduler_counters(machine.tree()).value();
    CHECK_NEAR(1.5, scheduler.cpu_time_s, 1e-12);
    CHECK_NEAR(0.25, scheduler.run_queue_delay_s, 1e-12);
    const std::vector<CpuCounters> cpus = read_cpu_counters(machine.tree());
    CHECK_EQ(std::size_t{2}, cpus.size());
    CHECK_EQ(std::int64_t{1 + 2 + 3 + 6 + 7},
             cpus[0].busy_ticks); // neither idle, iowait, nor the guest time that user holds
    CHECK_EQ(std::int64_t{8}, cpus[0].steal_ticks);
    CHECK_EQ(12, cpus[1].cpu);
    // A kernel that does not count prints zeros; that is not "never waited".
    machine.file("proc/self/schedstat", "0 0 0\n");
    CHECK(!read_scheduler_counters(machine.tree()));
}

TEST(a_kernel_of_more_than_1024_cpus_is_asked_with_a_larger_set) {
    std::vector<std::size_t> sizes;
    const AffinityReader large = [&](std::size_t bytes, unsigned long* mask) {
        sizes.push_back(bytes);
        if (bytes < 8192 / 8) { // a kernel for 8192 CPUs refuses a smaller set
            errno = EINVAL;
            return -1;
        }
        for (const std::size_t cpu : {3, 1024, 1500, 8191}) {
            mask[cpu / 64] |= 1ul << (cpu % 64);
        }
        return 0;
    };
    const std::optional<std::vector<int>> found = allowed_cpus(large);
    CHECK(found.has_value());
    CHECK(*found == (std::vector<int>{3, 1024, 1500, 8191}));
    CHECK(sizes == (std::vector<std::size_t>{128, 512, 2048}));
    CHECK(!allowed_cpus([](std::size_t, unsigned long*) {
        errno = EPERM;
        return -1;
    }));
    CHECK_EQ(static_cast<std::size_t>(sysconf(_SC_NPROCESSORS_ONLN)) >= allowed_cpus()->size(), true);
}

TEST(cpu_lists_read_back_as_written) {
    CHECK_EQ(std::string("0-3,8"), format_cpu_list({0, 1, 2, 3, 8}));
    CHECK_EQ(std::string("1,3-4"), format_cpu_list({1, 3, 4}));
    CHECK_EQ(std::string(""), format_cpu_list({}));
    CHECK(parse_cpu_list("0-3,8\n") == std::vector<int>({0, 1, 2, 3, 8}));
    for (const char* wrong : {"3-1", "a", "1,,2", "1,", "-1", "0-99999999"}) {
        CHECK(!parse_cpu_list(wrong));
    }
}

TEST(environment_keeps_what_changes_mpi_and_nothing_else) {
    const char* const entries[] = {"UCX_TLS=sm,self", "HOME=/home/me",  "OMPI_MCA_btl=self=sm", "FI=1",   "LD_PRELOAD=",
                                   "LD_PRELOAD_X=1",  "UCX_TLS=second", "I_MPI_PIN=1",          "broken", nullptr};
    const EnvironmentEntries expected{
        {"I_MPI_PIN", "1"}, {"LD_PRELOAD", ""}, {"OMPI_MCA_btl", "self=sm"}, {"UCX_TLS", "sm,self"}};
    CHECK(expected == select_environment(entries));
    CHECK(select_environment(nullptr).empty());
}

TEST(wall_time_carries_milliseconds_and_zone) {
    // 1 700 000 000 s after 1970 is 2023-11-14 22:13:20 UTC.
    CHECK_EQ(std::string("2023-11-14T22:13:20.007+00:00"), format_iso8601(1'700'000'000'007, 0));
    CHECK_EQ(std::string("2023-11-15T03:43:20.000+05:30"), format_iso8601(1'700'000'000'000, 19800));
    CHECK_EQ(std::string("2023-11-14T18:43:20.000-03:30"), format_iso8601(1'700'000'000'000, -12600));
    CHECK_EQ(std::string("1969-12-31T23:59:59.999+00:00"), format_iso8601(-1, 0));
}

TEST(this_process_can_be_snapshot) {
    const Snapshot begin = take_snapshot(SystemTree());
    const Snapshot end = take_snapshot(SystemTree());
    CHECK(end.monotonic_s > begin.monotonic_s);
    CHECK(end.pid > 0);
    CHECK_EQ(begin.pid, end.pid);
    if (const std::optional<std::vector<int>> cpus = allowed_cpus()) {
        CHECK(!cpus->empty());
    }
    CHECK(!build_facts().compiler.empty());
}

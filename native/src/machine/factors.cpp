#include "machine/factors.hpp"

#include "base/defaults.hpp"
#include "machine/cpu_set.hpp"
#include "record/json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <limits>
#include <type_traits>

namespace ictus::machine {

RankFactors rank_factors(int rank, const std::string& host, const Snapshot& begin, const Snapshot& end) {
    RankFactors factors;
    factors.rank = rank;
    factors.host = host;
    factors.node = node_name(host);
    factors.pid = end.pid;
    factors.cpu = end.cpu;
    if (end.cpus_allowed) {
        factors.cpus_allowed = format_cpu_list(*end.cpus_allowed);
    }
    if (begin.scheduler && end.scheduler) {
        factors.cpu_time_s = end.scheduler->cpu_time_s - begin.scheduler->cpu_time_s;
        factors.run_queue_delay_s = end.scheduler->run_queue_delay_s - begin.scheduler->run_queue_delay_s;
    }
    factors.elapsed_s = end.monotonic_s - begin.monotonic_s;
    if (begin.resources && end.resources) {
        factors.max_rss_bytes = end.resources->max_rss_bytes;
        factors.voluntary_switches = end.resources->voluntary_switches - begin.resources->voluntary_switches;
        factors.involuntary_switches = end.resources->involuntary_switches - begin.resources->involuntary_switches;
        factors.page_faults = end.resources->page_faults - begin.resources->page_faults;
    }
    return factors;
}

namespace {

/// The bytes of the numbers, and behind them texts, each with its final zero.
template <class Numbers>
std::string message(const Numbers& numbers, std::initializer_list<std::string_view> texts) {
    static_assert(std::is_trivially_copyable_v<Numbers>);
    std::string bytes(sizeof(Numbers), '\0');
    std::memcpy(bytes.data(), &numbers, sizeof(Numbers));
    for (const std::string_view text : texts) {
        bytes.append(text).push_back('\0');
    }
    return bytes;
}

template <class Numbers>
void read_message(std::string_view message, Numbers& numbers, std::initializer_list<std::string*> texts) {
    std::memcpy(&numbers, message.data(), sizeof(Numbers));
    message.remove_prefix(sizeof(Numbers));
    for (std::string* text : texts) {
        const std::size_t end = message.find('\0');
        *text = message.substr(0, end);
        message.remove_prefix(end + 1);
    }
}

} // namespace

std::string to_message(const RankFactors& factors) {
    return message<RankNumbers>(factors, {factors.host, factors.node, factors.cpus_allowed});
}

RankFactors rank_from_message(std::string_view message) {
    RankFactors factors;
    read_message<RankNumbers>(message, factors, {&factors.host, &factors.node, &factors.cpus_allowed});
    return factors;
}

namespace {

/// A list with this field of each row.
template <class Row, class Field>
void write_column(record::JsonWriter& json, const char* name, std::span<const Row> rows, Field field) {
    std::vector<std::decay_t<std::invoke_result_t<Field, const Row&>>> values;
    values.reserve(rows.size());
    for (const Row& row : rows) {
        values.push_back(std::invoke(field, row));
    }
    json.list(name, values);
}

} // namespace

void write_columns(record::JsonWriter& json, std::span<const RankFactors> ranks) {
    const auto column = [&](const char* name, auto field) { write_column(json, name, ranks, field); };
    column("rank", &RankNumbers::rank);
    column("host", &RankFactors::host);
    column("node", &RankFactors::node);
    column("pid", &RankNumbers::pid);
    column("epoch_ticks", &RankNumbers::epoch_ticks);
    column("cpu", &RankNumbers::cpu);
    column("cpus_allowed", &RankFactors::cpus_allowed);
    column("cpu_time_s", &RankNumbers::cpu_time_s);
    column("run_queue_delay_s", &RankNumbers::run_queue_delay_s);
    column("elapsed_s", &RankNumbers::elapsed_s);
    column("max_rss_bytes", &RankNumbers::max_rss_bytes);
    column("voluntary_switches", &RankNumbers::voluntary_switches);
    column("involuntary_switches", &RankNumbers::involuntary_switches);
    column("page_faults", &RankNumbers::page_faults);
    column("keeps_freed_memory", &RankNumbers::keeps_freed_memory);
}

namespace {

std::int64_t sum(const std::vector<CpuCounters>& cpus, std::int64_t CpuCounters::* ticks) {
    std::int64_t total = 0;
    for (const CpuCounters& cpu : cpus) {
        total += cpu.*ticks;
    }
    return total;
}

/// null where they are unknown.
void write_caches(record::JsonWriter& json, const std::vector<CacheFact>& caches) {
    json.key("caches");
    if (caches.empty()) {
        json.null();
        return;
    }
    json.begin_array(record::JsonWriter::Spacing::line);
    for (const CacheFact& cache : caches) {
        json.begin_object(record::JsonWriter::Spacing::line)
            .member("level", cache.level)
            .member("size_bytes", cache.size_bytes);
        json.member("cpus", cache.cpus.empty() ? std::string(unknown) : format_cpu_list(cache.cpus)).end_object();
    }
    json.end_array();
}

} // namespace

HostFactors read_host_factors(int n_ranks, const SystemTree& tree) {
    HostFactors factors;
    factors.n_ranks = n_ranks;
    factors.host = read_host(tree);
    if constexpr (is_simulated) {
        return factors;
    }
    factors.cpu = read_cpu(tree);
    factors.caches = read_caches(tree, 0);
    factors.container = read_container(tree);
    return factors;
}

void add_counted(HostFactors& factors, const Snapshot& begin, const Snapshot& end) {
    // A CPU that came or went in between would make the difference of the sums meaningless.
    if (begin.cpus.empty() || begin.cpus.size() != end.cpus.size()) {
        return;
    }
    const auto counted = [&](std::int64_t CpuCounters::* ticks) {
        return static_cast<double>(sum(end.cpus, ticks) - sum(begin.cpus, ticks)) * end.tick_s;
    };
    factors.steal_s = counted(&CpuCounters::steal_ticks);
    factors.busy_s = counted(&CpuCounters::busy_ticks);
}

namespace {

std::string kind_json(const HostFactors& factors) {
    record::JsonWriter json;
    json.begin_object(record::JsonWriter::Spacing::line);
    json.member("cpu_model", factors.cpu.model);
    json.member("n_cpus", factors.cpu.n_cpus);
    json.member("smt", factors.cpu.smt);
    json.member("governor", factors.cpu.governor);
    json.member("frequency_min_hz", factors.cpu.frequency_min_hz);
    json.member("frequency_max_hz", factors.cpu.frequency_max_hz);
    json.member("turbo", factors.cpu.turbo);
    json.member("kernel", factors.host.kernel);
    json.member("clocksource", factors.host.clocksource);
    json.member("tsc_invariant", factors.cpu.tsc_invariant());
    json.list("siblings", factors.cpu.siblings);
    json.list("sockets", factors.cpu.sockets);
    json.member("huge_pages", factors.host.huge_pages);
    json.member("shm_bytes", factors.host.shm_bytes);
    json.member("container", factors.container.kind);
    json.member("quota_cpus", factors.container.quota_cpus);
    json.member("library", factors.library);
    json.list("network", factors.host.network);
    write_caches(json, factors.caches);
    json.end_object();
    return json.take();
}

} // namespace

HostRecord host_record(const HostFactors& factors) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    HostRecord host;
    host.n_ranks = factors.n_ranks;
    host.load_average.fill(none);
    std::copy_n(factors.host.load_average.begin(), std::min(host.load_average.size(), factors.host.load_average.size()),
                host.load_average.begin());
    host.steal_s = factors.steal_s.value_or(none);
    host.busy_s = factors.busy_s.value_or(none);
    host.name = factors.host.name;
    host.kind = kind_json(factors);
    return host;
}

std::string to_message(const HostRecord& host) { return message<HostNumbers>(host, {host.name, host.kind}); }

HostRecord host_from_message(std::string_view message) {
    HostRecord host;
    read_message<HostNumbers>(message, host, {&host.name, &host.kind});
    return host;
}

std::vector<std::string> kinds_of(std::span<const HostRecord> hosts) {
    std::vector<std::string> kinds;
    for (const HostRecord& host : hosts) {
        if (std::ranges::find(kinds, host.kind) == kinds.end()) { // there are few: hosts of a cluster are alike
            kinds.push_back(host.kind);
        }
    }
    return kinds;
}

void write_columns(record::JsonWriter& json, std::span<const HostRecord> hosts) {
    const std::vector<std::string> kinds = kinds_of(hosts);
    const auto column = [&](const char* name, auto field) { write_column(json, name, hosts, field); };
    json.array("kinds", kinds, [&](const std::string& kind) { json.raw(kind); });
    column("kind", [&](const HostRecord& host) { return std::ranges::find(kinds, host.kind) - kinds.begin(); });
    column("host", &HostRecord::name);
    column("n_ranks", &HostNumbers::n_ranks);
    json.key("load_average").begin_array(record::JsonWriter::Spacing::line);
    for (const HostRecord& host : hosts) {
        if (std::isnan(host.load_average[0])) {
            json.null();
            continue;
        }
        json.begin_array(record::JsonWriter::Spacing::line);
        for (const double load : host.load_average) {
            json.value(load);
        }
        json.end_array();
    }
    json.end_array();
    column("steal_s", &HostNumbers::steal_s);
    column("busy_s", &HostNumbers::busy_s);
}

} // namespace ictus::machine

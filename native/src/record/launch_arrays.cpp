#include "record/launch_arrays.hpp"

#include "record/json.hpp"

#include <algorithm>
#include <cstdint>

namespace ictus::record {
namespace {

constexpr std::int32_t no_root = -1;
constexpr std::int32_t rotating_root = -2;

/// -1 where there is none.
template <class T>
std::int64_t count_or_none(const std::optional<T>& count) {
    return count ? static_cast<std::int64_t>(*count) : -1;
}

double time_or_none(const std::optional<double>& seconds) { return seconds.value_or(undefined); }

std::int8_t flag_or_none(const std::optional<bool>& flag) { return flag ? static_cast<std::int8_t>(*flag) : -1; }

std::int32_t root_number(const CaseRecord& c) {
    return !c.root ? no_root : c.root->rotates ? rotating_root : c.root->rank;
}

/// `topology=0.002,datatypes=1e-05`: what was made, and how many seconds that took.
std::string set_up_text(const CaseRecord& c) {
    std::string text;
    for (const auto& [what, elapsed_s] : c.set_up_s) {
        text += (text.empty() ? "" : ",") + what + "=" + JsonWriter().value(elapsed_s).take();
    }
    return text;
}

auto count(std::uint64_t CaseRecord::* field) {
    return [field](const CaseRecord& c) { return static_cast<std::int64_t>(c.*field); };
}

template <class Row, class Value>
auto plain(Value Row::* field) {
    return [field](const auto& row) { return row.*field; };
}

} // namespace

StructuredArray case_array(const LaunchRecord& launch) {
    ArrayOf<CaseRecord> cases(launch.cases);
    cases.column("case_id", [](const CaseRecord& c) { return static_cast<std::uint32_t>(c.case_id); })
        .column("operation", plain(&CaseRecord::operation))
        .column("mpi_name", plain(&CaseRecord::mpi_name))
        .column("size_bytes", count(&CaseRecord::size_bytes))
        .column("block_bytes", count(&CaseRecord::block_bytes))
        .column("moved_bytes", count(&CaseRecord::moved_bytes))
        .column("count", count(&CaseRecord::count))
        .column("datatype", plain(&CaseRecord::datatype))
        .column("operator", [](const CaseRecord& c) { return c.reduction.value_or(""); })
        .column("root", root_number)
        .column("timed_root", [](const CaseRecord& c) { return c.root ? root_number(c) : std::int32_t{0}; })
        .column("in_place", [](const CaseRecord& c) { return flag_or_none(c.in_place); })
        .column("layout", plain(&CaseRecord::layout))
        .column("comm", plain(&CaseRecord::communicator))
        .column("comm_size", plain(&CaseRecord::n_together))
        .column("counts", [](const CaseRecord& c) { return c.counts.value_or(""); })
        .column("procsync", plain(&CaseRecord::procsync))
        .column("scheme", plain(&CaseRecord::scheme))
        .column("repetition", plain(&CaseRecord::repetition))
        .column("cache", plain(&CaseRecord::cache))
        .column("cache_bytes", [](const CaseRecord& c) { return count_or_none(c.cache_bytes); })
        .column("warmup", count(&CaseRecord::warmup))
        .column("calls", count(&CaseRecord::calls))
        .column("set_up_s", set_up_text)
        .column("validated", [](const CaseRecord& c) { return flag_or_none(c.validated); })
        .column("block", plain(&CaseRecord::block))
        .column("headline", plain(&CaseRecord::headline))
        .column("attempted", count(&CaseRecord::attempted))
        .column("valid", count(&CaseRecord::valid))
        .column("late", count(&CaseRecord::n_late))
        .column("long", count(&CaseRecord::n_long))
        .column("rejected", count(&CaseRecord::n_rejected))
        .column("window_s", plain(&CaseRecord::window_s))
        .column("started_s", plain(&CaseRecord::started_s))
        .column("elapsed_s", plain(&CaseRecord::elapsed_s));
    return cases.array();
}

StructuredArray block_array(const LaunchRecord& launch) {
    ArrayOf<BlockRecord> blocks(launch.blocks);
    const auto opening = [](auto OpeningRecord::* field) {
        return [field](const BlockRecord& block) { return block.opening.*field; };
    };
    const auto closing = [](double ClosingRecord::* field) {
        return [field](const BlockRecord& block) { return block.closing ? (*block.closing).*field : undefined; };
    };
    blocks.column("opening_elapsed_s", opening(&OpeningRecord::elapsed_s))
        .column("opening_messages",
                [](const BlockRecord& block) { return static_cast<std::int64_t>(block.opening.messages); })
        .column("opening_bound_s", opening(&OpeningRecord::bound_s))
        .column("closing_elapsed_s", closing(&ClosingRecord::elapsed_s))
        .column("closing_messages",
                [](const BlockRecord& block) {
                    return block.closing ? static_cast<std::int64_t>(block.closing->messages) : std::int64_t{-1};
                })
        .column("closing_bound_s", closing(&ClosingRecord::bound_s))
        .column("residual_max_s", closing(&ClosingRecord::residual_max_s))
        .column("interpolated_residual_max_s", closing(&ClosingRecord::interpolated_residual_max_s));
    return blocks.array();
}

StructuredArray rank_array(const LaunchRecord& launch) {
    using Rank = machine::RankFactors;
    const auto index = [](const Rank& rank) { return static_cast<std::size_t>(rank.rank); };
    const auto counted = [](std::optional<std::int64_t> machine::RankNumbers::* field) {
        return [field](const Rank& rank) { return count_or_none(rank.*field); };
    };
    ArrayOf<Rank> ranks(launch.ranks);
    ranks.column("host", [&](const Rank& rank) { return launch.host_of_rank.at(index(rank)); })
        .column("node", plain(&Rank::node))
        .column("pid", plain(&machine::RankNumbers::pid))
        .column("epoch_ticks", counted(&machine::RankNumbers::epoch_ticks))
        .column("cpu", [](const Rank& rank) { return static_cast<std::int32_t>(rank.cpu.value_or(-1)); })
        .column("cpus_allowed", plain(&Rank::cpus_allowed))
        .column("cpu_time_s", [](const Rank& rank) { return time_or_none(rank.cpu_time_s); })
        .column("run_queue_delay_s", [](const Rank& rank) { return time_or_none(rank.run_queue_delay_s); })
        .column("elapsed_s", plain(&machine::RankNumbers::elapsed_s))
        .column("max_rss_bytes", counted(&machine::RankNumbers::max_rss_bytes))
        .column("voluntary_switches", counted(&machine::RankNumbers::voluntary_switches))
        .column("involuntary_switches", counted(&machine::RankNumbers::involuntary_switches))
        .column("page_faults", counted(&machine::RankNumbers::page_faults))
        .column("keeps_freed_memory", [](const Rank& rank) { return flag_or_none(rank.keeps_freed_memory); })
        .column("domain_leader", [&](const Rank& rank) { return launch.clock.domain_leader.at(index(rank)); });
    return ranks.array();
}

StructuredArray host_array(const LaunchRecord& launch) {
    using Host = machine::HostRecord;
    const std::vector<std::string> kinds = machine::kinds_of(launch.hosts);
    const auto load = [](std::size_t which) { return [which](const Host& host) { return host.load_average[which]; }; };
    ArrayOf<Host> hosts(launch.hosts);
    hosts.column("name", plain(&Host::name))
        .column("n_ranks", plain(&machine::HostNumbers::n_ranks))
        .column("kind",
                [&](const Host& host) {
                    return static_cast<std::int32_t>(std::ranges::find(kinds, host.kind) - kinds.begin());
                })
        .column("load_average_1", load(0))
        .column("load_average_5", load(1))
        .column("load_average_15", load(2))
        .column("steal_s", plain(&machine::HostNumbers::steal_s))
        .column("busy_s", plain(&machine::HostNumbers::busy_s));
    return hosts.array();
}

} // namespace ictus::record

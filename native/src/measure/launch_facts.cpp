#include "measure/launch_facts.hpp"

#include "base/defaults.hpp"
#include "machine/factors.hpp"
#include "mpi/agreement.hpp"
#include "mpi/handles.hpp"
#include "record/facts.hpp"
#include "record/mpi_facts.hpp"
#include "workload/heap.hpp"

#include <map>
#include <span>

namespace ictus {

std::vector<std::string> opening_domain_remarks(LaunchContext& context) {
    std::vector<std::string> remarks;
    for (const std::string& split : clocksync::describe_splits(context.transport(), context.domains())) {
        remarks.push_back("clock domain split: " + split + "; --clock-domain rank assumes no shared clock");
    }
    return remarks;
}

std::vector<std::string> closing_domain_remarks(LaunchContext& context) {
    const clocksync::Domains now = clocksync::verify_domains(context.transport(), context.domains(), {.exchanges = 20});
    std::vector<std::string> remarks;
    for (const std::string& split : clocksync::describe_splits(context.transport(), now)) {
        remarks.push_back("clock domain lost during the launch: " + split +
                          ", although it seemed so at the beginning; repeat the launch with --clock-domain rank");
    }
    return remarks;
}

record::LaunchRecord launch_provenance(LaunchContext& context, const LaunchPlan& plan) {
    Clock& clock = context.clock();
    record::LaunchRecord launch;
    launch.n_ranks = context.size();
    launch.seed = plan.seed;
    launch.started = record::now_iso8601();
    launch.mpi = record::read_mpi_facts();
    launch.core = record::build_facts();
    // Rank 0's alone: thousands of readings on each rank would cost a simulation more than a case.
    const clock::ClockResolution resolution =
        context.is_root() ? clock::measure_resolution(clock) : clock::ClockResolution{};
    launch.clock = {to_string(plan.clock.spec()), clock.frequency_hz(),
                    clock.frequency_source(),     resolution.resolution_s,
                    resolution.reading_s,         clocksync::leader_of_each(context.transport(), context.domains())};
    launch.clocksync = {to_string(plan.clocksync.spec()), context.clocksync().synchronises()};
    launch.options = plan.options;
    launch.warnings = opening_domain_remarks(context);
    return launch;
}

namespace {

std::vector<std::string> without_empty(std::vector<std::string> texts) {
    std::erase(texts, std::string());
    return texts;
}

std::vector<double> every_second(const std::vector<double>& values, std::size_t first) {
    std::vector<double> picked;
    for (std::size_t i = first; i < values.size(); i += 2) {
        picked.push_back(values[i]);
    }
    return picked;
}

std::string host_name(const machine::SystemTree& tree) {
    if constexpr (!is_simulated) {
        return machine::read_host(tree).name;
    }
    char name[MPI_MAX_PROCESSOR_NAME] = {};
    int length = 0;
    mpi::check(MPI_Get_processor_name(name, &length), "MPI_Get_processor_name");
    return {name, static_cast<std::size_t>(length)};
}

/// Of each rank the index of its host: hosts are in the order of their first ranks.
std::vector<int> host_indices(std::span<const RankLocation> locations) {
    std::map<int, int> index; // by what a location calls its host: the first rank of it
    for (const RankLocation& location : locations) {
        index.emplace(location.host, 0);
    }
    int next = 0;
    for (auto& [host, number] : index) {
        number = next++;
    }
    std::vector<int> indices;
    for (const RankLocation& location : locations) {
        indices.push_back(index.at(location.host));
    }
    return indices;
}

} // namespace

Factors::Factors(const LaunchContext& context)
    : keeps_freed_memory_(keeps_freed_memory()), begin_(machine::take_snapshot(tree_)) {
    if (context.rank() == context.topology().host_leader) {
        host_ = machine::read_host_factors(context.topology().n_host_ranks, tree_);
        host_->host.name = host_name(tree_);
        host_->library = record::read_mpi_facts().library_version;
    }
}

void Factors::finish(LaunchContext& context, record::LaunchRecord& launch) const {
    const machine::Snapshot end = machine::take_snapshot(tree_);
    const MPI_Comm comm = context.record_comm();

    machine::RankFactors rank = machine::rank_factors(context.rank(), host_name(tree_), begin_, end);
    rank.epoch_ticks = context.clock().epoch();
    rank.keeps_freed_memory = keeps_freed_memory_;
    for (const std::string& text : mpi::gather_texts(comm, machine::to_message(rank))) {
        launch.ranks.push_back(machine::rank_from_message(text));
    }

    std::string host_text;
    if (host_) {
        machine::HostFactors host = *host_;
        machine::add_counted(host, begin_, end);
        host_text = machine::to_message(machine::host_record(host));
    }
    for (const std::string& text : without_empty(mpi::gather_texts(comm, host_text))) {
        launch.hosts.push_back(machine::host_from_message(text));
    }
    launch.host_of_rank = context.is_root() ? host_indices(context.transport().locations()) : std::vector<int>();

    const double shares[] = {machine::run_queue_share(begin_, end), machine::steal_share(begin_, end)};
    const std::vector<double> all = mpi::gather_values(comm, shares);
    launch.contention =
        machine::contention_verdict(every_second(all, 0), every_second(all, 1), context.topology().oversubscribed);
    launch.environment = record::read_environment();
}

} // namespace ictus

#include "study/study.hpp"

#include "base/defaults.hpp"
#include "base/error.hpp"
#include "machine/system_tree.hpp"
#include "measure/launch_facts.hpp"
#include "mpi/agreement.hpp"
#include "transport/control.hpp"

namespace ictus {

std::vector<RankNumbers> gather_named(MPI_Comm comm, std::span<const OwnNumbers> own) {
    std::vector<double> flat;
    for (const OwnNumbers& one : own) {
        flat.insert(flat.end(), one.values.begin(), one.values.end());
    }
    const std::vector<double> all = mpi::gather_values(comm, flat);
    std::vector<RankNumbers> gathered;
    std::size_t first = 0;
    for (const OwnNumbers& one : own) {
        Matrix& rows = gathered.emplace_back(RankNumbers{one.name, Matrix(one.values.size())}).rows;
        for (std::vector<double>& row : rows) {
            for (std::size_t i = first; i < all.size(); i += flat.size()) {
                row.push_back(all[i]);
            }
            ++first;
        }
    }
    return gathered;
}

std::vector<RankNumbers> gather_named(MPI_Comm comm, std::initializer_list<std::pair<std::string_view, double>> own) {
    std::vector<OwnNumbers> numbers;
    for (const auto& [name, value] : own) {
        numbers.push_back({name, {value}});
    }
    return gather_named(comm, numbers);
}

void write_lists(record::JsonWriter& json, std::span<const RankNumbers> numbers) {
    for (const RankNumbers& one : numbers) {
        json.numbers(one.name, one.rows.front());
    }
}

void write_matrices(record::JsonWriter& json, std::span<const RankNumbers> numbers) {
    for (const RankNumbers& one : numbers) {
        json.number_rows(one.name, one.rows);
    }
}

bool is_stale(Transport& transport, LocalTime synchronised) {
    // After as long as in a launch: an older slope is learnt anew.
    return control::broadcast_value(transport, transport.now() - synchronised >= LaunchPlan().resync_time_s);
}

namespace {

constexpr int format = 2;

/// The launcher's own record beside the output (launcher.json).
std::string launcher_of(const std::string& output) {
    const std::size_t slash = output.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : output.substr(0, slash + 1);
    return output.empty() ? "" : machine::SystemTree(folder).word("launcher.json").value_or("");
}

void write_places(record::JsonWriter& json, std::span<const RankLocation> locations) {
    const auto each = [&](const char* name, int RankLocation::* field) {
        std::vector<int> numbers;
        for (const RankLocation& location : locations) {
            numbers.push_back(location.*field);
        }
        json.list(name, numbers);
    };
    json.key("places").begin_object();
    each("host", &RankLocation::host);
    each("socket", &RankLocation::socket);
    each("domain", &RankLocation::domain);
    json.end_object();
}

} // namespace

StudyDocument run_study(const mpi::Session& session, const LaunchPlan& plan, const StudyMember& member, Study& study) {
    session.require_size(plan.n_ranks);
    LaunchContext context(session, plan);
    record::LaunchRecord launch = launch_provenance(context, plan);
    const Factors factors(context);
    const LocalTime begin = context.transport().now();
    try {
        study.check(context);
    } catch (const Error& error) {
        throw PlanError(error.what());
    }
    study.measure(context);
    launch.elapsed_s = context.transport().now() - begin;
    factors.finish(context, launch);
    for (std::string& remark : closing_domain_remarks(context)) {
        launch.warnings.push_back(std::move(remark));
    }
    const auto frequency = gather_named(context.record_comm(), {{"frequency_hz", context.clock().frequency_hz()}});
    if (!context.is_root()) {
        return {};
    }
    for (std::string& remark : study.remarks()) {
        launch.warnings.push_back(std::move(remark));
    }
    launch.launcher = launcher_of(plan.output);
    record::JsonWriter json;
    json.begin_object().member("format", format).member("study", member.document);
    record::write_origin(json, launch);
    record::write_request(json, launch);
    json.member("simulated", is_simulated);
    write_lists(json, frequency);
    write_places(json, context.transport().locations());
    study.write(json);
    record::write_conditions(json, launch);
    json.end_object();
    return {json.take(true), launch.warnings};
}

} // namespace ictus

#include "study/study.hpp"

#include "base/defaults.hpp"
#include "machine/system_tree.hpp"
#include "measure/launch_facts.hpp"
#include "mpi/agreement.hpp"

namespace ictus {

std::vector<std::vector<double>> gather_columns(MPI_Comm comm, std::span<const double> values) {
    const std::vector<double> all = mpi::gather_values(comm, values);
    std::vector<std::vector<double>> columns(values.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        columns[i % values.size()].push_back(all[i]);
    }
    return columns;
}

namespace {

constexpr int format = 1;

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

StudyDocument run_study(const mpi::Session& session, const LaunchPlan& plan, Study& study) {
    session.require_size(plan.n_ranks);
    LaunchContext context(session, plan);
    record::LaunchRecord launch = launch_provenance(context, plan);
    const Factors factors(context);
    const LocalTime begin = context.transport().now();
    study.measure(context);
    launch.elapsed_s = context.transport().now() - begin;
    factors.finish(context, launch);
    for (std::string& remark : closing_domain_remarks(context)) {
        launch.warnings.push_back(std::move(remark));
    }
    const double frequency[] = {context.clock().frequency_hz()};
    const auto frequencies = gather_columns(context.record_comm(), frequency);
    if (!context.is_root()) {
        return {};
    }
    for (std::string& remark : study.remarks()) {
        launch.warnings.push_back(std::move(remark));
    }
    launch.launcher = launcher_of(plan.output);
    record::JsonWriter json;
    json.begin_object().member("format", format).member("study", study.name());
    record::write_origin(json, launch);
    record::write_request(json, launch);
    json.member("simulated", is_simulated).list("frequency_hz", frequencies[0]);
    write_places(json, context.transport().locations());
    study.write(json);
    record::write_conditions(json, launch);
    json.end_object();
    return {json.take(true), launch.warnings};
}

} // namespace ictus

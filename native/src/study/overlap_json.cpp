#include "base/quantity.hpp"
#include "record/control_variables.hpp"
#include "study/overlap.hpp"

#include <algorithm>
#include <cctype>

namespace ictus {
namespace {

using record::JsonWriter;

constexpr std::array<const char*, 5> phase_names = {"init_s", "test_s", "compute_s", "wait_s", "total_s"};

bool is_about_progress(std::string name) {
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name.find("progress") != std::string::npos;
}

/// What the library itself says of its progress: its control variables of that name.
void write_control_variables(JsonWriter& json) {
    json.key("control_variables").begin_object();
    for (const auto& [name, value] : record::read_control_variables()) {
        if (is_about_progress(name)) {
            json.member(name, value);
        }
    }
    json.end_object();
}

void write_run(JsonWriter& json, const OverlapRun& run, std::size_t index) {
    json.begin_object().member("run", index).member("compute", to_string(run.kind));
    json.list("intervals_bytes", run.intervals_bytes).member("tests", run.tests.n);
    json.member("attempted", run.attempted).member("valid", run.valid);
    json.list("alone_s", run.compute_s);
    json.key("mean").begin_object();
    for (std::size_t phase = 0; phase < phase_names.size(); ++phase) {
        json.list(phase_names[phase], run.mean_s[phase]);
    }
    json.end_object().end_object();
}

void write_case(JsonWriter& json, const OverlapCase& one) {
    const CasePlan& plan = *one.plan;
    json.begin_object().member("case_id", plan.id).member("operation", to_string(plan.call.spec()));
    json.member("mpi_name", plan.operation->mpi_name).member("form", to_string(plan.operation->form));
    json.member("size_bytes", plan.size_bytes).member("block_bytes", one.extent.block_bytes);
    json.member("moved_bytes", one.extent.moved_bytes).member("datatype", plan.datatype->name);
    json.key("operator");
    if (plan.operation->reduces) {
        json.value(plan.reduction->name);
    } else {
        json.null();
    }
    json.member("pilot_s", one.pilot_s).member("target_s", one.target_s).member("lengthened", one.lengthened);
    json.member("workload", one.workload);
    json.key("runs").begin_array();
    for (std::size_t i = 0; i < one.runs.size(); ++i) {
        write_run(json, one.runs[i], i);
    }
    json.end_array().end_object();
}

} // namespace

void OverlapStudy::write(JsonWriter& json) const {
    json.member("procsync", to_string(plan_.procsync.spec())).member("nrep", plan_.nrep);
    json.member("compute_factor", plan_.compute_factor);
    json.key("thread").begin_object().member("own", plan_.has_thread);
    json.member("place", plan_.has_thread ? plan_.thread_place : "none").member("pause_s", plan_.thread_pause_s);
    json.list("cpu", result_.cpu).list("calls", result_.thread_calls).end_object();
    json.list("threads", result_.n_threads);
    write_control_variables(json);
    json.key("cases").begin_array();
    for (const OverlapCase& one : result_.cases) {
        write_case(json, one);
    }
    json.end_array();
}

} // namespace ictus

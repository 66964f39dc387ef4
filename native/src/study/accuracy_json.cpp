#include "study/accuracy.hpp"

namespace ictus {
namespace {

using record::JsonWriter;

void write_matrix(JsonWriter& json, const char* name, const Matrix& matrix) {
    json.key(name).begin_array();
    for (const std::vector<double>& row : matrix) {
        json.begin_array(JsonWriter::Layout::line);
        for (const double value : row) {
            json.value(value);
        }
        json.end_array();
    }
    json.end_array();
}

void write_counter(JsonWriter& json, const std::optional<SharedCounter>& counter) {
    json.key("counter");
    if (!counter) {
        json.null();
        return;
    }
    json.begin_object().member("shared", counter->shared);
    json.list("offset_s", counter->offset_s).list("half_width_s", counter->half_width_s).end_object();
}

void write_algorithms(JsonWriter& json, const AccuracyPlan& plan) {
    json.key("algorithms").begin_array();
    for (std::size_t i = 0; i < plan.algorithms.size(); ++i) {
        json.begin_object().member("name", plan.names[i]).member("spec", to_string(plan.algorithms[i].spec()));
        json.member("synchronises", clocksync::registry().make(plan.algorithms[i])->synchronises()).end_object();
    }
    json.end_array();
}

void write_synchronisation(JsonWriter& json, const SynchronisationRecord& one) {
    json.begin_object().member("repeat", one.repeat).member("algorithm", one.algorithm);
    json.member("elapsed_s", one.elapsed_s).member("messages", one.messages);
    json.list("slope", one.slope).list("intercept_s", one.intercept_s).list("slope_error", one.slope_error);
    json.list("intercept_error_s", one.intercept_error_s).key("confidence");
    if (one.confidence) {
        json.begin_object().list("slope_low", one.confidence->slope_low);
        json.list("slope_high", one.confidence->slope_high);
        json.list("intercept_low_s", one.confidence->intercept_low_s);
        json.list("intercept_high_s", one.confidence->intercept_high_s).end_object();
    } else {
        json.null();
    }
    json.key("known");
    if (one.known) {
        json.begin_object().list("at_s", one.known->at_s);
        write_matrix(json, "error_s", one.known->error_s);
        write_matrix(json, "bound_s", one.known->bound_s);
        json.end_object();
    } else {
        json.null();
    }
    json.key("ping_pong");
    if (one.ping_pong) {
        json.begin_object();
        write_matrix(json, "waited_s", one.ping_pong->waited_s);
        write_matrix(json, "error_s", one.ping_pong->error_s);
        write_matrix(json, "half_width_s", one.ping_pong->half_width_s);
        write_matrix(json, "bound_s", one.ping_pong->bound_s);
        json.end_object();
    } else {
        json.null();
    }
    json.end_object();
}

} // namespace

void write(JsonWriter& json, const AccuracyPlan& plan, const AccuracyResult& result) {
    json.member("truth", result.judged_by_ping_pong ? "ping-pong" : "known");
    write_counter(json, result.counter);
    json.key("barrier").begin_object(JsonWriter::Layout::line).member("calls", result.barrier.calls);
    json.member("mean_s", result.barrier.mean_s).member("median_s", result.barrier.median_s).end_object();
    json.list("waits_s", plan.waits_s).list("checked", result.checked);
    write_algorithms(json, plan);
    json.key("synchronisations").begin_array();
    for (const SynchronisationRecord& one : result.synchronisations) {
        write_synchronisation(json, one);
    }
    json.end_array();
}

} // namespace ictus

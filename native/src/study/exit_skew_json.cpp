#include "procsync/procsync.hpp"
#include "study/exit_skew.hpp"

namespace ictus {
namespace {

using record::JsonWriter;

void write_profile(JsonWriter& json, const char* name, const ExitProfile& profile) {
    json.key(name).begin_object();
    json.list("mean_s", profile.mean_s).list("sd_s", profile.sd_s).list("skew_s", profile.skew_s).end_object();
}

void write_account(JsonWriter& json, const char* name, const std::optional<ExitAccount>& account) {
    json.key(name);
    if (!account) {
        json.null();
        return;
    }
    json.begin_object();
    write_profile(json, "entry", account->entry);
    write_profile(json, "exit", account->exit);
    json.list("duration_s", account->duration_s).end_object();
}

} // namespace

void write(JsonWriter& json, const ExitSkewPlan& plan, const ExitSkewResult& result) {
    json.member("entry", to_string(plan.entry.spec())).member("entry_tolerance_s", plan.entry_tolerance_s);
    json.member("repetition", to_string(plan.repetition.spec()));
    json.key("counter_shared");
    if (result.counter) {
        json.value(result.counter->shared);
    } else {
        json.null();
    }
    json.key("starts").begin_array();
    for (const StartRecord& one : result.starts) {
        json.begin_object().member("name", plan.names[one.start]);
        json.member("spec", to_string(plan.starts[one.start].spec()));
        json.member("attempted", one.attempted).member("late_entry", one.late_entry);
        json.member("missed", one.missed).member("valid", one.valid);
        json.member("elapsed_s", one.elapsed_s).member("clock_bound_s", one.clock_bound_s);
        write_account(json, "measured", one.measured);
        write_account(json, "true", one.truth);
        json.end_object();
    }
    json.end_array();
}

} // namespace ictus

#include "tool/commands.hpp"

#include "barrier/barrier.hpp"
#include "clock/clock.hpp"
#include "clocksync/clocksync.hpp"
#include "drift/drift.hpp"
#include "measure/options.hpp"
#include "neighbourhood/neighbourhood.hpp"
#include "neighbourhood/topology.hpp"
#include "neighbourhood/torus.hpp"
#include "offset/offset.hpp"
#include "procsync/procsync.hpp"
#include "record/json.hpp"
#include "study/study.hpp"
#include "workload/cache.hpp"
#include "workload/communicator.hpp"
#include "workload/counts.hpp"
#include "workload/layout.hpp"
#include "workload/operation/operation.hpp"
#include "workload/pattern.hpp"
#include "workload/repetition.hpp"
#include "workload/scheme.hpp"

#include <cmath>

namespace ictus::tool {

namespace {

/// All families, in plain sight.
std::vector<const FamilyInfo*> families() {
    return {&clock::family(),     &offset::family(),   &drift::family(),        &clocksync::family(),
            &barrier::family(),   &procsync::family(), &pattern::family(),      &scheme::family(),
            &operation::family(), &topology::family(), &torus::family(),        &neighbourhood::family(),
            &counts::family(),    &layout::family(),   &communicator::family(), &cache::family(),
            &repetition::family()};
}

using record::JsonWriter;

void write_parameter(JsonWriter& json, const Parameter& parameter, bool is_list) {
    json.begin_object(JsonWriter::Spacing::line);
    json.member("name", parameter.name)
        .member("type", to_string(parameter.type))
        .member("default", parameter.default_value);
    if (parameter.family != nullptr) {
        json.member("family", parameter.family().name);
    }
    if (!parameter.choices.empty()) {
        json.key("choices").begin_array(JsonWriter::Spacing::line);
        for (std::string_view rest = parameter.choices; !rest.empty();) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            json.value(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        json.end_array();
    }
    if (std::isfinite(parameter.minimum)) {
        json.member("minimum", parameter.minimum);
    }
    if (std::isfinite(parameter.maximum)) {
        json.member("maximum", parameter.maximum);
    }
    if (parameter.allows_auto) {
        json.member("auto", true);
    }
    if (is_list) {
        json.member("list", true);
    }
    json.member("help", parameter.help).end_object();
}

void write_member(JsonWriter& json, const FamilyInfo& family, const MemberInfo& member) {
    json.begin_object();
    json.member("name", member.name).member("summary", member.summary).member("source", member.source);
    if (&family == &operation::family()) {
        const OperationMember& traits = operation::traits(member.name);
        json.member("mpi_name", traits.mpi_name).member("volume", to_string(traits.volume));
        json.member("rooted", traits.rooted).member("reduces", traits.reduces).member("varied", traits.varied);
        if (traits.places_in_bytes) {
            json.member("places_in_bytes", true);
        }
        if (traits.binds_buffers) {
            json.member("binds_buffers", true);
        }
        json.member("in_place", traits.in_place != InPlace::never);
        json.member("form", to_string(traits.form)).member("collective", traits.collective);
        if (!traits.mockup_of.empty()) {
            json.member("mockup_of", traits.mockup_of).member("guideline", traits.guideline);
            json.member("padded", traits.is_padded);
        }
        json.member("since", traits.since);
        if (!traits.stands_for.empty()) {
            json.member("stands_for", traits.stands_for);
        }
    }
    if (&family == &communicator::family()) {
        json.member("size", communicator::traits(member.name).size_rule);
    }
    if (&family == &layout::family()) {
        json.member("elements", layout::traits(member.name).elements);
    }
    json.key("parameters").begin_array();
    for (const Parameter& parameter : member.parameters) {
        write_parameter(json, parameter, false);
    }
    json.end_array().end_object();
}

void write_options(JsonWriter& json, std::string_view key, std::span<const Option> options) {
    json.key(key).begin_array();
    for (const Option& option : options) {
        write_parameter(json, option.declaration, option.is_list);
    }
    json.end_array();
}

void write_datatypes(JsonWriter& json) {
    json.key("datatypes").begin_array();
    for (const Datatype& datatype : datatypes()) {
        json.begin_object(JsonWriter::Spacing::line);
        json.member("name", datatype.name).member("mpi", datatype.mpi_name).member("size_bytes", datatype.size_bytes);
        json.key("operators").begin_array(JsonWriter::Spacing::line);
        for (const Operator& reduction : operators()) {
            if (allows(datatype, reduction)) {
                json.value(reduction.name);
            }
        }
        json.end_array().end_object();
    }
    json.end_array();
}

} // namespace

std::string describe() {
    JsonWriter json;
    json.begin_object().member("format", 1).key("families").begin_array();
    for (const FamilyInfo* family : families()) {
        json.begin_object()
            .member("family", family->name)
            .member("summary", family->summary)
            .key("members")
            .begin_array();
        for (const MemberInfo* member : family->members) {
            write_member(json, *family, *member);
        }
        json.end_array().end_object();
    }
    json.end_array().key("options").begin_object();
    write_options(json, "launch", launch_options());
    write_options(json, "case", case_options());
    for (const StudyMember* const study : study::registry()) {
        write_options(json, std::string(study->topic) + " " + std::string(study->name), study->options);
    }
    json.end_object();
    write_datatypes(json);
    json.end_object();
    return json.take(true);
}

std::string availability() {
    JsonWriter json;
    json.begin_object().member("format", 1).key("operations").begin_array();
    for (const MemberInfo* member : operation::family().members) {
        const OperationMember& traits = operation::traits(member->name);
        json.begin_object(JsonWriter::Spacing::line).member("name", traits.name).member("available", traits.available);
        json.member("large_counts", traits.large).member("reason", operation::lack(traits)).end_object();
    }
    json.end_array().end_object();
    return json.take(true);
}

} // namespace ictus::tool

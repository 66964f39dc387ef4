#include "preload/settings.hpp"

#include "base/defaults.hpp"
#include "base/error.hpp"
#include "clock/clock.hpp"
#include "clocksync/clocksync.hpp"
#include "interposition/program.hpp"
#include "mpi/foreign_communicator.hpp"
#include "mpi/handles.hpp"
#include "procsync/procsync.hpp"
#include "workload/pattern.hpp"

#include <algorithm>

namespace ictus::preload {
namespace {

constexpr BarrierSemantics all_semantics[] = {
    {"none", false, false, false, ""},
    {"barrier", true, false, false, ""},
    {"window", false, true, true, ""},
    {"harmonize", true, true, false, ""},
    {"arrival", true, true, true, ""},
    {"window-adaptive", false, true, true,
     "it repeats a case until its windows are long enough, and a barrier of a program cannot be repeated"},
    {"round-time", true, true, true, "it ends a case when its time is spent, and a program cannot be ended like that"},
};

const BarrierSemantics& find_semantics(std::string_view procsync) {
    const auto* const found = std::find_if(std::begin(all_semantics), std::end(all_semantics),
                                           [&](const BarrierSemantics& one) { return one.procsync == procsync; });
    if (found == std::end(all_semantics)) {
        throw usage_error("procsync '" + std::string(procsync) + "' cannot replace barriers of other programs");
    }
    return *found;
}

std::string usable_names() {
    std::string names;
    for (const MemberInfo* const member : procsync::family().members) {
        if (find_semantics(member->name).refusal.empty()) {
            names += (names.empty() ? "" : ", ") + std::string(member->name);
        }
    }
    return names;
}

void refuse_unknown_latency(const Bound& bound) {
    const auto& parameters = bound.info().parameters;
    const bool has_size = std::any_of(parameters.begin(), parameters.end(),
                                      [](const Parameter& one) { return one.name == "size" && one.allows_auto; });
    if (has_size && bound.is_auto("size")) {
        throw usage_error("procsync '" + std::string(bound.info().name) +
                          "': size=auto follows the latency of what is measured, which is unknown for a barrier of "
                          "another program; give a size, such as " +
                          std::string(bound.info().name) + "(size=100us)");
    }
}

bool pattern_fits(const Bound& bound, int n_ranks) {
    try {
        (void)pattern::registry().make(bound, n_ranks);
        return true;
    } catch (const Error&) {
        return false;
    }
}

} // namespace

const BarrierSemantics& semantics_of(const Bound& procsync) {
    const BarrierSemantics& semantics = find_semantics(procsync.info().name);
    if (!semantics.refusal.empty()) {
        throw usage_error("procsync '" + std::string(semantics.procsync) + "' cannot replace a barrier: " +
                          std::string(semantics.refusal) + "; those that can are " + usable_names());
    }
    refuse_unknown_latency(procsync);
    const BarrierSemantics* result = &semantics;
    for (const Parameter& parameter : procsync.info().parameters) {
        if (parameter.type == Parameter::Type::member && parameter.family == &procsync::family) {
            const BarrierSemantics& inner = semantics_of(procsync.member(parameter.name));
            result = inner.holds ? result : &inner; // as strong as what it starts with
        }
    }
    return *result;
}

bool fits(const Bound& procsync, int n_ranks) {
    const auto& parameters = procsync.info().parameters;
    return std::all_of(parameters.begin(), parameters.end(), [&](const Parameter& one) {
        if (one.type != Parameter::Type::member) {
            return true;
        }
        return one.family == &pattern::family    ? pattern_fits(procsync.member(one.name), n_ranks)
               : one.family == &procsync::family ? fits(procsync.member(one.name), n_ranks)
                                                 : true;
    });
}

using interposition::count_in;
using interposition::variable;

namespace {

constexpr std::string_view default_procsync = "harmonize";
constexpr std::string_view default_log_limit = "16384"; // exits of one communicator: 144 KiB a rank
constexpr std::uint64_t least_log_limit = 16;
constexpr std::uint64_t greatest_log_limit = 1u << 24;

Bound read_member(const char* name, const FamilyInfo& family, std::string_view otherwise) {
    try {
        return bind(family, parse_spec(variable(name, otherwise)));
    } catch (const Error& error) {
        throw usage_error(std::string("variable '") + name + "': " + error.what());
    }
}

} // namespace

PreloadSettings read_settings() {
    PreloadSettings settings;
    const Bound procsync = read_member("ICTUS_PROCSYNC", procsync::family(), default_procsync);
    settings.procsync = to_string(procsync.spec());
    settings.given = variable("ICTUS_PROCSYNC", default_procsync);
    try {
        settings.semantics = semantics_of(procsync);
    } catch (const Error& error) {
        throw usage_error(std::string("variable 'ICTUS_PROCSYNC': ") + error.what());
    }
    const std::string_view clocksync = settings.semantics.needs_global_time ? defaults::clocksync : "none";
    settings.clocksync = to_string(read_member("ICTUS_PRELOAD_CLOCKSYNC", clocksync::family(), clocksync).spec());
    settings.clock = to_string(read_member("ICTUS_PRELOAD_CLOCK", clock::family(), defaults::clock).spec());
    settings.log = variable("ICTUS_PRELOAD_LOG");
    settings.log_limit = count_in("ICTUS_PRELOAD_LOG_LIMIT", default_log_limit, least_log_limit, greatest_log_limit);
    settings.report = variable("ICTUS_PRELOAD_REPORT");
    settings.n_ranks = count_in("ICTUS_PRELOAD_RANKS", "0", 0, 1u << 30);
    return settings;
}

std::string fingerprint(const PreloadSettings& settings) {
    return "ICTUS_PROCSYNC=" + settings.procsync + " ICTUS_PRELOAD_CLOCKSYNC=" + settings.clocksync +
           " ICTUS_PRELOAD_CLOCK=" + settings.clock + " ICTUS_PRELOAD_LOG=" + settings.log +
           " ICTUS_PRELOAD_LOG_LIMIT=" + std::to_string(settings.log_limit);
}

namespace {

bool has_ranks_for(MPI_Comm comm, const PreloadSettings& settings) {
    int size = 0;
    mpi::check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    return fits(bind(procsync::family(), parse_spec(settings.procsync)), size);
}

} // namespace

bool is_within_reach(MPI_Comm comm, const PreloadSettings& settings) {
    return !mpi::is_between_groups(comm) && mpi::lies_in_world(comm) && has_ranks_for(comm, settings);
}

} // namespace ictus::preload

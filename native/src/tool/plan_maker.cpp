#include "tool/plan_maker.hpp"

#include "cache/cache.hpp"
#include "clock/clock.hpp"
#include "clocksync/clocksync.hpp"
#include "core/error.hpp"
#include "core/quantity.hpp"
#include "counts/counts.hpp"
#include "layout/layout.hpp"
#include "operation/demand.hpp"
#include "procsync/procsync.hpp"
#include "repetition/repetition.hpp"
#include "scheme/scheme.hpp"

#include <algorithm>

namespace ictus::tool {
namespace {

Bound bind_text(const FamilyInfo& family, const std::string& text) { return bind(family, parse_spec(text)); }

Bound bind_repetition(const Settings& settings) {
    if (settings.has("repetition") && settings.has("nrep")) {
        throw usage_error("options 'repetition' and 'nrep' exclude each other");
    }
    if (!settings.has("nrep")) {
        return bind_text(repetition::family(), settings.value(case_options(), "repetition"));
    }
    return bind_text(repetition::family(), "fixed(" + settings.value(case_options(), "nrep") + ")");
}

/// `clock-bound` is a parameter of the algorithms that can reach one.
Bound bind_clocksync(const std::string& text, const std::string& clock_bound) {
    const Bound clocksync = bind_text(clocksync::family(), text);
    if (clock_bound == "auto") {
        return clocksync;
    }
    const auto& known = clocksync.info().parameters;
    if (std::none_of(known.begin(), known.end(), [](const Parameter& one) { return one.name == "bound"; })) {
        throw usage_error(
            "option 'clock-bound' needs an algorithm that learns until a bound is reached, and clocksync '" +
            std::string(clocksync.info().name) + "' has no parameter 'bound'; use --clocksync ictus");
    }
    if (!clocksync.is_auto("bound")) {
        throw usage_error("option 'clock-bound' and clocksync's own parameter 'bound' exclude each other");
    }
    Spec spec = clocksync.spec();
    for (Argument& argument : spec.arguments) {
        if (argument.key == "bound") {
            argument.value = parse_spec(clock_bound);
        }
    }
    return bind(clocksync::family(), spec);
}

/// Everything but operation, size, procsync and cache, which are lists.
CasePlan common_case(const Settings& settings) {
    const auto value = [&](std::string_view name) { return settings.value(case_options(), name); };
    CasePlan plan;
    plan.id = static_cast<std::uint32_t>(parse_count(value("id"), "option 'id'"));
    plan.datatype = &find_datatype(value("datatype"));
    plan.reduction = &find_operator(value("operator"));
    plan.root = static_cast<int>(parse_count(value("root"), "option 'root'"));
    plan.in_place = value("in-place") == "on";
    plan.layout = bind_text(layout::family(), value("layout"));
    plan.scheme = bind_text(scheme::family(), value("scheme"));
    plan.repetition = bind_repetition(settings);
    plan.warmup = parse_count(value("warmup"), "option 'warmup'");
    return plan;
}

/// What would fail in the first call is refused before the launch.
void check_demands(const CasePlan& plan) {
    if (plan.in_place) {
        operation::require_in_place(*plan.operation);
    }
    if (plan.operation->reduces) {
        const bool is_derived = layout::registry().make(plan.layout)->is_derived();
        operation::require_operator(*plan.operation, *plan.datatype, *plan.reduction, is_derived);
    }
}

/// The case of `plan` among those that differ from it in size alone, if it moves the same bytes.
CasePlan* same_extent(std::vector<CasePlan>& cases, const CasePlan& plan, int n_ranks) {
    for (CasePlan& other : cases) {
        if (other.call.spec() == plan.call.spec() && other.procsync.spec() == plan.procsync.spec() &&
            other.cache.spec() == plan.cache.spec() && other.counts.spec() == plan.counts.spec() &&
            extent_of(other, n_ranks).block_bytes == extent_of(plan, n_ranks).block_bytes) {
            return &other;
        }
    }
    return nullptr;
}

/// What the blocks of the operation may be like: all that is asked for where it is told each one's size.
std::vector<std::string> counts_for(const OperationMember& operation, const Settings& settings) {
    return operation.varied ? split_list(settings.value(case_options(), "counts")) : std::vector<std::string>{"equal"};
}

void add_case(const CasePlan& plan, int n_ranks, std::vector<CasePlan>& cases, std::vector<std::string>& notes) {
    CasePlan* const other = same_extent(cases, plan, n_ranks);
    if (other == nullptr) {
        cases.push_back(plan);
    } else if (plan.operation->volume == Volume::blocks && other->size_bytes != plan.size_bytes) {
        notes.push_back(std::string(plan.operation->name) + " of " + std::to_string(other->size_bytes) + " B and of " +
                        std::to_string(plan.size_bytes) + " B move the same blocks at " + std::to_string(n_ranks) +
                        " ranks: measured once");
        other->size_bytes = plan.size_bytes;
    }
}

/// Appends a case for each operation, distribution of counts and size.
void add_cases(CasePlan plan, const Settings& settings, int n_ranks, std::vector<CasePlan>& cases,
               std::vector<std::string>& notes) {
    const auto sizes = parse_sizes(settings.value(case_options(), "size"), "option 'size'");
    for (const std::string& name : split_list(settings.value(case_options(), "op"))) {
        plan.call = bind_text(operation::family(), name);
        plan.operation = &operation::traits(plan.call.info().name);
        operation::require_available(*plan.operation);
        check_demands(plan);
        for (const std::string& counts : counts_for(*plan.operation, settings)) {
            plan.counts = bind_text(counts::family(), counts);
            for (const std::uint64_t size : sizes) {
                plan.size_bytes = plan.operation->volume == Volume::none ? 0 : size;
                add_case(plan, n_ranks, cases, notes);
            }
        }
    }
}

std::vector<CasePlan> combine(const Settings& settings, int n_ranks, std::vector<std::string>& notes) {
    std::vector<CasePlan> cases;
    CasePlan plan = common_case(settings);
    for (const std::string& procsync : split_list(settings.value(case_options(), "procsync"))) {
        plan.procsync = bind_text(procsync::family(), procsync);
        for (const std::string& cache : split_list(settings.value(case_options(), "cache"))) {
            plan.cache = bind_text(cache::family(), cache);
            add_cases(plan, settings, n_ranks, cases, notes);
        }
    }
    return cases;
}

} // namespace

LaunchPlan make_plan(const Request& request, int n_ranks, std::vector<std::string>& notes) {
    LaunchPlan plan;
    const auto value = [&](std::string_view name) { return request.launch.value(launch_options(), name); };
    plan.n_ranks = static_cast<int>(parse_count(value("ranks"), "option 'ranks'"));
    plan.seed = parse_count(value("seed"), "option 'seed'");
    plan.clock = bind_text(clock::family(), value("clock"));
    plan.clock_domain = mpi::parse_domain_claim(value("clock-domain"));
    plan.clocksync = bind_clocksync(value("clocksync"), value("clock-bound"));
    plan.validate = value("validate") == "on";
    plan.raw = value("raw") == "on";
    plan.block_time_s = parse_duration(value("block-time"), "option 'block-time'");
    plan.resync_time_s = parse_duration(value("resync-time"), "option 'resync-time'");
    plan.output = value("output");
    if (plan.raw && plan.output.empty()) {
        throw usage_error("option 'raw' needs --output: stamps are written to a file, not into a table");
    }
    for (const Option& option : launch_options()) {
        plan.options.emplace_back(option.declaration.name, value(option.declaration.name));
    }
    for (const Settings& settings : request.cases) {
        std::vector<CasePlan> cases = combine(settings, n_ranks, notes);
        if (request.one_case_each && cases.size() != 1) {
            throw usage_error("a `case` line of a plan must name one operation, size and procsync");
        }
        for (CasePlan& one : cases) {
            if (!request.one_case_each) {
                one.id = static_cast<std::uint32_t>(plan.cases.size());
            }
            const bool taken = std::any_of(plan.cases.begin(), plan.cases.end(),
                                           [&](const CasePlan& other) { return other.id == one.id; });
            if (taken) {
                throw usage_error("two cases have the id " + std::to_string(one.id) + "; each needs its own");
            }
            plan.cases.push_back(std::move(one));
        }
    }
    return plan;
}

} // namespace ictus::tool

#include "tool/command_line.hpp"

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "clocksync/clocksync.hpp"
#include "workload/communicator.hpp"
#include "workload/counts.hpp"
#include "workload/layout.hpp"
#include "workload/operation/demand.hpp"
#include "workload/operation/nested.hpp"
#include "workload/repetition.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace ictus::tool {
namespace {

Bound bind_text(const FamilyInfo& family, const std::string& text) { return bind(family, parse_spec(text)); }

Bound bind_repetition(const OptionValues& settings) {
    if (settings.is_given("repetition") && settings.is_given("nrep")) {
        throw usage_error("options 'repetition' and 'nrep' cannot be given together");
    }
    return settings.is_given("nrep") ? bind_text(repetition::family(), "fixed(" + settings.text("nrep") + ")")
                                     : settings.member("repetition");
}

/// `clock-bound` and `clock-error` are parameters, `bound` and `error`, of the algorithms that can reach such a goal.
Bound with_goal(const Bound& clocksync, const std::string& parameter, const std::string& value) {
    if (value == "auto") {
        return clocksync;
    }
    const std::string option = "option 'clock-" + parameter + "'";
    const auto& known = clocksync.info().parameters;
    if (std::none_of(known.begin(), known.end(), [&](const Parameter& one) { return one.name == parameter; })) {
        throw usage_error(option + " needs an algorithm that continues until it is reached, and clocksync '" +
                          std::string(clocksync.info().name) + "' has no parameter '" + parameter +
                          "'; use --clocksync ictus");
    }
    if (!clocksync.is_auto(parameter)) {
        throw usage_error(option + " and clocksync's own parameter '" + parameter + "' cannot be given together");
    }
    Spec spec = clocksync.spec();
    for (Argument& argument : spec.arguments) {
        if (argument.key == parameter) {
            argument.value = parse_spec(value);
        }
    }
    return bind(clocksync::family(), spec);
}

/// Everything except the lists.
CasePlan common_case(const OptionValues& settings) {
    CasePlan plan;
    plan.id = static_cast<std::uint32_t>(settings.count("id"));
    plan.datatype = &find_datatype(settings.text("datatype"));
    plan.reduction = &find_operator(settings.text("operator"));
    plan.scheme = settings.member("scheme");
    plan.repetition = bind_repetition(settings);
    plan.warmup = settings.count("warmup");
    return plan;
}

/// Refuses before the launch what would fail in the first call.
void check_demands(const CasePlan& plan) {
    const bool is_derived = layout::registry().make(plan.layout)->is_derived();
    for (const Bound& call : operation::leaves(plan.call)) {
        const OperationMember& operation = operation::traits(call.info().name);
        operation::require_available(operation);
        if (plan.in_place && (operation.volume != Volume::none || plan.operation->volume == Volume::none)) {
            operation::require_in_place(operation);
        }
        if (operation.reduces) {
            operation::require_operator(operation, *plan.datatype, *plan.reduction, is_derived);
        }
    }
}

Extent extent_at(const CasePlan& plan, int n_ranks) {
    return extent_of(plan, communicator::size_of(plan.communicator, n_ranks));
}

/// What two cases have in common that are the same call and move the same bytes.
std::string identity_of(const CasePlan& plan, int n_ranks) {
    std::string identity;
    for (const Bound* part :
         {&plan.call, &plan.procsync, &plan.cache, &plan.counts, &plan.communicator, &plan.layout}) {
        identity += to_string(part->spec()) + '\n';
    }
    for (const std::uint64_t number : {std::uint64_t{plan.in_place}, static_cast<std::uint64_t>(plan.root),
                                       std::uint64_t{plan.rotates_root}, extent_at(plan, n_ranks).block_bytes}) {
        identity += std::to_string(number) + '\n';
    }
    return identity;
}

/// Cases by what they call; a call that moves the same bytes as another one is not added again.
class DistinctCases {
public:
    DistinctCases(int n_ranks, std::vector<std::string>& notes) : n_ranks_(n_ranks), notes_(notes) {}

    void add(const CasePlan& plan) {
        const auto [known, is_new] = index_of_.try_emplace(identity_of(plan, n_ranks_), cases_.size());
        if (is_new) {
            cases_.push_back(plan);
            return;
        }
        CasePlan& other = cases_[known->second];
        if (plan.operation->volume == Volume::blocks && other.size_bytes != plan.size_bytes) {
            notes_.push_back(std::string(plan.operation->name) + " of " + std::to_string(other.size_bytes) +
                             " B and of " + std::to_string(plan.size_bytes) + " B move the same blocks at " +
                             std::to_string(n_ranks_) + " ranks: measured once");
            other.size_bytes = plan.size_bytes;
        }
    }

    [[nodiscard]] std::vector<CasePlan> take() { return std::move(cases_); }

private:
    int n_ranks_;
    std::vector<std::string>& notes_;
    std::vector<CasePlan> cases_;
    std::unordered_map<std::string, std::size_t> index_of_;
};

/// Each plan with each value of a list; the first list varies slowest.
template <class Apply>
void cross(std::vector<CasePlan>& plans, const std::vector<std::string>& values, Apply apply) {
    std::vector<CasePlan> crossed;
    for (const CasePlan& plan : plans) {
        for (const std::string& value : values) {
            apply(crossed.emplace_back(plan), value);
        }
    }
    plans = std::move(crossed);
}

void set_root(CasePlan& plan, const std::string& text) {
    plan.rotates_root = text == "rotating";
    plan.root = plan.rotates_root ? 0 : static_cast<int>(parse_count(text, "option 'root'"));
}

/// An operation that cannot be called in place is measured once, out of place; a plan's case means what it says.
std::vector<std::string> in_place_for(const OperationMember& operation, const std::vector<std::string>& values,
                                      bool one_case_each, std::vector<std::string>& notes) {
    const bool is_requested = std::ranges::find(values, "on") != values.end();
    if (operation.in_place != InPlace::never || one_case_each || !is_requested) {
        return values;
    }
    const std::string note = std::string(operation.name) + " cannot be called in place: it is measured out of place";
    if (std::ranges::find(notes, note) == notes.end()) {
        notes.push_back(note);
    }
    return {"off"};
}

/// How the operation of `plan` may be called: all values that the options give, where they have a meaning for it.
std::vector<CasePlan> ways_to_call(const CasePlan& plan, const OptionValues& settings, bool one_case_each,
                                   std::vector<std::string>& notes) {
    const OperationMember& operation = *plan.operation;
    const auto values = [&](std::string_view name, bool applies = true) {
        return applies ? settings.words(name)
                       : std::vector{std::string(find_option(case_options(), name)->declaration.default_value)};
    };
    std::vector<CasePlan> plans{plan};
    cross(plans, values("comm"),
          [](CasePlan& one, const std::string& text) { one.communicator = bind_text(communicator::family(), text); });
    cross(plans, values("layout", operation.volume != Volume::none),
          [](CasePlan& one, const std::string& text) { one.layout = bind_text(layout::family(), text); });
    cross(plans, values("root", operation.rooted), set_root);
    cross(plans, in_place_for(operation, values("in-place"), one_case_each, notes),
          [](CasePlan& one, const std::string& text) { one.in_place = text == "on"; });
    cross(plans, values("counts", operation.varied),
          [](CasePlan& one, const std::string& text) { one.counts = bind_text(counts::family(), text); });
    return plans;
}

/// Adds a case for each operation, way to call it and size.
void add_cases(CasePlan plan, const OptionValues& settings, bool one_case_each, DistinctCases& cases,
               std::vector<std::string>& notes) {
    const auto sizes = parse_sizes(settings.text("size"), "option 'size'");
    for (const std::string& name : settings.words("op")) {
        plan.call = bind_text(operation::family(), name);
        plan.operation = std::make_shared<OperationMember>(operation::traits(plan.call));
        for (CasePlan& way : ways_to_call(plan, settings, one_case_each, notes)) {
            check_demands(way);
            for (const std::uint64_t size : sizes) {
                way.size_bytes = way.operation->volume == Volume::none ? 0 : size;
                cases.add(way);
            }
        }
    }
}

std::vector<CasePlan> combine(const OptionValues& settings, int n_ranks, bool one_case_each,
                              std::vector<std::string>& notes) {
    DistinctCases cases(n_ranks, notes);
    CasePlan plan = common_case(settings);
    for (const Bound& procsync : settings.members("procsync")) {
        plan.procsync = procsync;
        for (const Bound& cache : settings.members("cache")) {
            plan.cache = cache;
            add_cases(plan, settings, one_case_each, cases, notes);
        }
    }
    return cases.take();
}

} // namespace

LaunchPlan make_plan(const LaunchRequest& request, int n_ranks, std::vector<std::string>& notes) {
    LaunchPlan plan;
    const OptionValues& launch = request.launch;
    plan.n_ranks = static_cast<int>(launch.count("ranks"));
    plan.seed = launch.count("seed");
    plan.heap = parse_heap(launch.text("heap"));
    plan.clock = launch.member("clock");
    plan.clock_domain = mpi::parse_domain_claim(launch.text("clock-domain"));
    plan.clocksync = with_goal(with_goal(launch.member("clocksync"), "bound", launch.text("clock-bound")), "error",
                               launch.text("clock-error"));
    plan.fault_calls = launch.count("page-faults");
    plan.validate = launch.flag("validate");
    plan.raw = launch.flag("raw");
    plan.block_time_s = launch.duration("block-time");
    plan.resync_time_s = launch.duration("resync-time");
    plan.output = launch.text("output");
    plan.options = launch.all();
    if (plan.raw && plan.output.empty()) {
        throw usage_error("option 'raw' needs --output: stamps are written to a file, not into a table");
    }
    std::unordered_set<std::uint32_t> ids;
    for (const OptionValues& settings : request.cases) {
        std::vector<CasePlan> cases = combine(settings, n_ranks, request.one_case_each, notes);
        if (request.one_case_each && cases.size() != 1) {
            throw usage_error("a `case` line of a plan must name one operation, size and way of measuring");
        }
        for (CasePlan& one : cases) {
            if (!request.one_case_each) {
                one.id = static_cast<std::uint32_t>(plan.cases.size());
            }
            if (!ids.insert(one.id).second) {
                throw usage_error("two cases have the id " + std::to_string(one.id) + "; each needs its own");
            }
            plan.cases.push_back(std::move(one));
        }
    }
    return plan;
}

} // namespace ictus::tool

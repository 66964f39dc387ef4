// `ictus-bench TOPIC STUDY --option value ...`.
#include "base/error.hpp"
#include "measure/options.hpp"
#include "record/file.hpp"
#include "study/study.hpp"
#include "tool/command_line.hpp"
#include "tool/commands.hpp"

#include <algorithm>
#include <cstdio>

namespace ictus::tool {
namespace {

/// Throws a usage Error that lists the known studies of the topic.
const StudyMember& find_study(std::string_view topic, std::string_view name) {
    std::string known;
    for (const StudyMember* const study : study::registry()) {
        if (study->topic != topic) {
            continue;
        }
        if (study->name == name) {
            return *study;
        }
        known += (known.empty() ? "" : ", ") + std::string(study->name);
    }
    throw usage_error("unknown study of " + std::string(topic) + " '" + std::string(name) + "'; known are " + known);
}

/// What the words ask for. Every rank reads the same words, so all find the same mistakes.
struct StudyRequest {
    const StudyMember& member;
    OptionValues values;
};

StudyRequest read_request(std::string_view topic, std::span<const std::string_view> words) {
    const std::string title(topic);
    if (words.empty()) {
        throw usage_error("which study of " + title + "? see ictus-bench " + title + " --help");
    }
    const StudyMember& member = find_study(topic, words.front());
    const std::string where = "option of " + title + " " + std::string(member.name);
    return {member, read_options(member.options, words.subspan(1), where)};
}

/// The cases that the options of a study describe as those of a launch do.
std::vector<CasePlan> cases_of(const StudyRequest& request, int n_ranks) {
    LaunchRequest launch;
    OptionValues& settings = launch.cases.emplace_back(case_options());
    for (const auto& [name, value] : request.values.all()) {
        if (settings.declares(name)) {
            settings.set(name, value, "option");
        }
    }
    std::vector<std::string> notes;
    return make_plan(launch, n_ranks, notes).cases;
}

/// The part of a study that the launch needs, without the algorithms that it judges.
LaunchPlan launch_plan(const StudyRequest& request, int n_ranks) {
    const OptionValues& values = request.values;
    const Option* const clocksync = find_option(request.member.options, "clocksync");
    LaunchPlan plan;
    plan.n_ranks = static_cast<int>(values.count("ranks"));
    plan.seed = values.declares("seed") ? values.count("seed") : plan.seed;
    plan.clock = (values.declares("clock") ? values : OptionValues(launch_options())).member("clock");
    if (values.declares("clock-domain")) {
        plan.clock_domain = mpi::parse_domain_claim(values.text("clock-domain"));
    }
    plan.clocksync = clocksync != nullptr && !clocksync->is_list ? values.member("clocksync")
                                                                 : bind(clocksync::family(), {"none", {}});
    plan.output = values.text("output");
    if (values.declares("op")) {
        plan.cases = cases_of(request, n_ranks);
    }
    plan.options = values.all();
    return plan;
}

struct StudyCommand {
    std::unique_ptr<const LaunchPlan> plan; ///< stays where it is, because the study may refer to it
    const StudyMember* member;
    std::unique_ptr<Study> study;
};

StudyCommand read_command(std::string_view topic, std::span<const std::string_view> words, int n_ranks) {
    try {
        const StudyRequest request = read_request(topic, words);
        auto plan = std::make_unique<const LaunchPlan>(launch_plan(request, n_ranks));
        auto study = request.member.make(request.values, *plan);
        return {std::move(plan), &request.member, std::move(study)};
    } catch (const Error& error) {
        throw PlanError(error.what());
    }
}

/// Checked before the measurement and not after it.
void check_output(const std::string& path) {
    if (path.empty()) {
        return;
    }
    const std::string partial = path + ".partial";
    std::FILE* file = std::fopen(partial.c_str(), "w");
    if (file == nullptr) {
        throw usage_error("option 'output': cannot write " + partial);
    }
    std::fclose(file);
    std::remove(partial.c_str());
}

void write_document(const std::string& path, const std::string& json) {
    if (!path.empty()) {
        record::write_text_file(path, json);
    } else if (std::fputs(json.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
        throw measurement_error("cannot write the result to standard output");
    }
}

} // namespace

bool is_topic(std::string_view word) {
    return std::ranges::any_of(study::registry(), [&](const StudyMember* study) { return study->topic == word; });
}

std::string study_help(std::string_view topic, std::span<const std::string_view> words) {
    std::string text =
        "ictus-bench " + std::string(topic) + " STUDY examines what measurements depend on, and writes JSON.\n";
    for (const StudyMember* const study : study::registry()) {
        if (study->topic == topic && (words.empty() || study == &find_study(topic, words.front()))) {
            text += "Options of `" + std::string(topic) + " " + std::string(study->name) +
                    "`: " + std::string(study->summary) + "\n" + help_of(study->options);
        }
    }
    return text;
}

mpi::Threads threads_of(std::string_view topic, std::span<const std::string_view> words) {
    try {
        const StudyRequest request = read_request(topic, words);
        return request.member.has_threads(request.values) ? mpi::Threads::multiple : mpi::Threads::as_is;
    } catch (const Error&) { // one rank reports it, after MPI_Init
        return mpi::Threads::as_is;
    }
}

int run_study_command(const mpi::Session& session, std::string_view topic, std::span<const std::string_view> words) {
    return run_to_end(session, "", [&] {
        const StudyCommand command = read_command(topic, words, session.size());
        if (session.rank() == 0) {
            check_output(command.plan->output);
        }
        const StudyDocument document = run_study(session, *command.plan, *command.member, *command.study);
        if (session.rank() == 0) {
            write_document(command.plan->output, document.json);
            for (const std::string& warning : document.warnings) {
                std::fprintf(stderr, "warning: %s\n", warning.c_str());
            }
        }
    });
}

void count_faults(const mpi::Session& session, const LaunchPlan& plan) {
    LaunchPlan counted = plan;
    counted.output = plan.output.empty() ? "" : plan.output + "/page_faults.json";
    const auto study = study::page_faults.make(OptionValues({}), counted);
    const StudyDocument document = run_study(session, counted, study::page_faults, *study);
    if (session.rank() == 0) {
        write_document(counted.output, document.json);
    }
}

} // namespace ictus::tool

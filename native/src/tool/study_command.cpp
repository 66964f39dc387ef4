#include "tool/commands.hpp"

#include "base/defaults.hpp"
#include "base/error.hpp"
#include "base/quantity.hpp"
#include "clock/clock.hpp"
#include "clocksync/clocksync.hpp"
#include "offset/offset.hpp"
#include "procsync/procsync.hpp"
#include "record/file.hpp"
#include "study/accuracy.hpp"
#include "study/drift.hpp"
#include "study/exit_skew.hpp"
#include "study/frequency.hpp"
#include "study/network.hpp"
#include "study/overlap.hpp"
#include "study/rtt.hpp"
#include "study/study.hpp"
#include "tool/command_line.hpp"
#include "tool/study_option.hpp"
#include "workload/repetition.hpp"

#include <algorithm>
#include <cstdio>

namespace ictus::tool {
namespace {

/// The values in force of one study's options.
struct Values {
    std::span<const Option> options;
    OptionValues settings;

    [[nodiscard]] bool has(std::string_view name) const { return find_option(options, name) != nullptr; }
    [[nodiscard]] std::string text(std::string_view name) const { return settings.value(options, name); }
    [[nodiscard]] std::uint64_t count(std::string_view name) const { return parse_count(text(name), name); }
    [[nodiscard]] double duration(std::string_view name) const { return parse_duration(text(name), name); }
    [[nodiscard]] Bound member(std::string_view name, const FamilyInfo& family) const {
        return bind(family, parse_spec(text(name)));
    }
    /// Ascending, without repeats.
    [[nodiscard]] std::vector<double> durations(std::string_view name) const {
        std::vector<double> all;
        for (const std::string& part : split_list(text(name))) {
            all.push_back(parse_duration(part, name));
        }
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }
};

AccuracyPlan accuracy_plan(const Values& values) {
    AccuracyPlan plan;
    plan.names = split_list(values.text("clocksync"));
    for (const std::string& name : plan.names) {
        plan.algorithms.push_back(bind(clocksync::family(), parse_spec(name)));
    }
    plan.waits_s = values.durations("waits");
    const std::string truth = values.text("truth");
    plan.truth = truth == "known"       ? AccuracyPlan::Truth::known
                 : truth == "ping-pong" ? AccuracyPlan::Truth::ping_pong
                                        : AccuracyPlan::Truth::automatic;
    plan.check = {values.count("rounds"), values.count("exchanges"), values.duration("round-gap"),
                  parse_real(values.text("sample"), "sample")};
    plan.repeats = values.count("repeats");
    plan.barriers = values.count("barriers");
    plan.seed = values.count("seed");
    return plan;
}

ExitSkewPlan skew_plan(const Values& values) {
    ExitSkewPlan plan;
    plan.names = split_list(values.text("procsync"));
    for (const std::string& name : plan.names) {
        plan.starts.push_back(bind(procsync::family(), parse_spec(name)));
    }
    plan.entry = values.member("entry", procsync::family());
    plan.entry_tolerance_s = values.duration("entry-tolerance");
    plan.repetition = values.member("repetition", repetition::family());
    plan.warmup = values.count("warmup");
    plan.seed = values.count("seed");
    return plan;
}

/// The cases of a launch, from the study's options of the same names.
std::vector<CasePlan> cases_of(const Values& values, int n_ranks) {
    LaunchRequest request;
    OptionValues& settings = request.cases.emplace_back();
    for (const std::string_view name : {"op", "size", "datatype", "operator", "root", "warmup"}) {
        settings.set(case_options(), name, values.text(name), "option");
    }
    std::vector<std::string> notes;
    return make_plan(request, n_ranks, notes).cases;
}

/// `same`, `any`, or numbers of CPUs.
std::string progress_place(const Values& values) {
    const std::string place = values.text("progress-place");
    for (const std::string& cpu : split_list(place)) {
        if (place != "same" && place != "any" && parse_count(cpu, "option 'progress-place'") > 4096) {
            throw usage_error("option 'progress-place': there is no CPU " + cpu);
        }
    }
    return place;
}

OverlapPlan overlap_plan(const Values& values, int n_ranks) {
    OverlapPlan plan;
    plan.cases = cases_of(values, n_ranks);
    plan.procsync = values.member("procsync", procsync::family());
    for (const std::string& kind : split_list(values.text("compute"))) {
        plan.computations.push_back(kind == "work" ? ComputationKind::work : ComputationKind::time);
    }
    for (const std::string& interval : split_list(values.text("intervals"))) {
        plan.intervals_bytes.push_back(interval == "none" ? 0 : parse_count(interval, "option 'intervals'"));
    }
    plan.compute_factor = parse_real(values.text("compute-factor"), "compute-factor");
    plan.nrep = values.count("nrep");
    plan.has_thread = values.text("progress-thread") == "own";
    plan.thread_place = progress_place(values);
    plan.thread_pause_s = values.duration("progress-pause");
    plan.validate = values.text("validate") == "on";
    plan.seed = values.count("seed");
    plan.phases = values.text("phases");
    return plan;
}

NetworkPlan network_plan(const Values& values) {
    NetworkPlan plan;
    for (const std::string& size : split_list(values.text("sizes"))) {
        plan.sizes_bytes.push_back(parse_count(size, "option 'sizes'"));
    }
    std::sort(plan.sizes_bytes.begin(), plan.sizes_bytes.end());
    plan.train = values.count("train");
    plan.repeats = values.count("repeats");
    plan.links = values.count("links");
    plan.matchings = values.count("matchings");
    plan.stream_bytes = values.count("stream-size");
    plan.stream = values.count("stream");
    plan.quantum_s = values.duration("quantum");
    plan.quanta = values.count("quanta");
    plan.seed = values.count("seed");
    return plan;
}

/// The ranks of the option; none for `auto`.
std::vector<int> ranks_of(const Values& values) {
    std::vector<int> ranks;
    if (values.text("of") != "auto") {
        for (const std::string& rank : split_list(values.text("of"))) {
            ranks.push_back(static_cast<int>(std::min<std::uint64_t>(parse_count(rank, "option 'of'"), 1U << 30U)));
        }
    }
    return ranks;
}

std::unique_ptr<Study> make_study(std::string_view name, const Values& values, int n_ranks) {
    if (name == "phases") {
        return std::make_unique<OverlapStudy>(overlap_plan(values, n_ranks));
    }
    if (name == "state") {
        return std::make_unique<NetworkStudy>(network_plan(values));
    }
    if (name == "skew") {
        return std::make_unique<ExitSkewStudy>(skew_plan(values));
    }
    if (name == "accuracy") {
        return std::make_unique<AccuracyStudy>(accuracy_plan(values));
    }
    if (name == "drift") {
        return std::make_unique<DriftStudy>(DriftPlan{
            values.member("offset", offset::family()), values.duration("duration"), values.duration("interval"),
            values.durations("windows"), parse_real(values.text("sample"), "sample")});
    }
    if (name == "rtt") {
        return std::make_unique<RoundTripStudy>(RoundTripPlan{ranks_of(values), values.count("exchanges")});
    }
    if (name == "frequency") {
        return std::make_unique<FrequencyStudy>(
            FrequencyPlan{values.durations("durations"), values.count("repeats"), values.count("per-rank-repeats")});
    }
    std::string known;
    for (const StudyOptions& study : study_options()) {
        known += (known.empty() ? "" : ", ") + std::string(study.name);
    }
    throw usage_error("unknown study '" + std::string(name) + "'; known are " + known);
}

/// Whether the study only uses synchronised clocks, and does not judge them.
bool has_one_clocksync(const Values& values) {
    const Option* option = find_option(values.options, "clocksync");
    return option != nullptr && !option->is_list;
}

/// The part of a study that the launch needs, without the algorithms that it judges.
LaunchPlan launch_plan(const Values& values) {
    LaunchPlan plan;
    plan.n_ranks = static_cast<int>(values.count("ranks"));
    plan.seed = values.has("seed") ? values.count("seed") : plan.seed;
    plan.clock =
        bind(clock::family(), parse_spec(values.has("clock") ? values.text("clock") : std::string(defaults::clock)));
    if (values.has("clock-domain")) {
        plan.clock_domain = mpi::parse_domain_claim(values.text("clock-domain"));
    }
    plan.clocksync = has_one_clocksync(values) ? values.member("clocksync", clocksync::family())
                                               : bind(clocksync::family(), {"none", {}});
    plan.output = values.text("output");
    for (const Option& option : values.options) {
        plan.options.emplace_back(option.declaration.name, values.text(option.declaration.name));
    }
    return plan;
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

/// The request. Every rank reads the same words, so all find the same mistakes.
struct Command {
    LaunchPlan plan;
    std::unique_ptr<Study> study;
};

Command read_command(std::string_view topic, std::span<const std::string_view> words, int n_ranks) {
    try {
        if (words.empty()) {
            throw usage_error("which study of " + std::string(topic) + "? see ictus-bench " + std::string(topic) +
                              " --help");
        }
        const StudyOptions& known = find_study(topic, words.front());
        const std::string where = "option of " + std::string(topic) + " " + std::string(known.name);
        const Values values{known.options, read_options(known.options, words.subspan(1), where)};
        return {launch_plan(values), make_study(known.name, values, n_ranks)};
    } catch (const Error& error) {
        throw PlanError(error.what());
    }
}

void put(const std::string& path, const StudyDocument& document) {
    if (!path.empty()) {
        record::write_text_file(path, document.json);
    } else if (std::fputs(document.json.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
        throw measurement_error("cannot write the result to standard output");
    }
    for (const std::string& warning : document.warnings) {
        std::fprintf(stderr, "warning: %s\n", warning.c_str());
    }
}

} // namespace

std::string study_help(std::string_view topic, std::span<const std::string_view> words) {
    std::string text =
        "ictus-bench " + std::string(topic) + " STUDY examines what measurements depend on, and writes JSON.\n";
    for (const StudyOptions& study : study_options()) {
        if (study.topic == topic && (words.empty() || &study == &find_study(topic, words.front()))) {
            text += "Options of `" + std::string(topic) + " " + std::string(study.name) +
                    "`: " + std::string(study.summary) + "\n" + help_of(study.options);
        }
    }
    return text;
}

mpi::Threads threads_of(std::string_view topic, std::span<const std::string_view> words) {
    const bool own = std::ranges::find(words, "--progress-thread=own") != words.end() ||
                     std::ranges::adjacent_find(words, [](std::string_view name, std::string_view value) {
                         return name == "--progress-thread" && value == "own";
                     }) != words.end();
    return topic == "overlap" && own ? mpi::Threads::multiple : mpi::Threads::as_is;
}

int run_study_command(const mpi::Session& session, std::string_view topic, std::span<const std::string_view> words) {
    try {
        const Command command = read_command(topic, words, session.size());
        if (session.rank() == 0) {
            check_output(command.plan.output);
        }
        const StudyDocument document = run_study(session, command.plan, *command.study);
        if (session.rank() == 0) {
            put(command.plan.output, document);
        }
        return 0;
    } catch (const PlanError& error) {
        if (session.rank() == 0) {
            std::fprintf(stderr, "ictus-bench: %s\n", error.what());
        }
        return error.exit_code();
    } catch (const Error& error) {
        session.abort(error);
    } catch (const std::exception& error) {
        session.abort(measurement_error(error.what()));
    }
}

} // namespace ictus::tool

// ictus-bench: one launch of a campaign, or a table on its own.
#include "base/defaults.hpp"
#include "base/error.hpp"
#include "machine/host.hpp"
#include "machine/lease.hpp"
#include "measure/launch.hpp"
#include "mpi/agreement.hpp"
#include "plugin/library.hpp"
#include "record/control_variables.hpp"
#include "record/crash.hpp"
#include "record/facts.hpp"
#include "record/json.hpp"
#include "record/mpi_facts.hpp"
#include "tool/command_line.hpp"
#include "tool/commands.hpp"
#include "tool/folder_sink.hpp"
#include "tool/table_sink.hpp"
#include "workload/heap.hpp"
#include "workload/operation/operation.hpp"

#include <cstdio>
#include <fstream>
#include <sstream>

namespace ictus::tool {
namespace {

std::string read_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) {
        throw usage_error("option 'plan': cannot read '" + path + "'");
    }
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// `--plan FILE`, and `--heap STATE` behind it: the one thing that must be known before MPI starts.
struct PlanWords {
    std::string file;
    std::string_view heap = "kept";
};

/// Empty where the words name no plan. Throws a usage Error.
std::optional<PlanWords> plan_words(std::span<const std::string_view> words) {
    if (words.size() == 2 && words[0] == "--plan") {
        return PlanWords{.file = std::string(words[1])};
    }
    if (words.size() == 4 && words[0] == "--plan" && words[2] == "--heap") {
        return PlanWords{std::string(words[1]), words[3]};
    }
    if (!words.empty() && words[0].substr(0, 6) == "--plan") {
        throw usage_error(
            "'--plan FILE' takes no other option than '--heap STATE' after it: all options are in the file");
    }
    return std::nullopt;
}

/// What the words say of the heap, before MPI_Init. Where they cannot be read, this is reported after it, by one rank.
Heap requested_heap(std::span<const std::string_view> words) {
    try {
        const std::optional<PlanWords> plan = plan_words(words);
        return parse_heap(plan ? plan->heap : read_command_line(words).launch.text("heap"));
    } catch (const Error&) {
        return Heap::kept;
    }
}

/// Collective. Rank 0 reads the file of a plan for all: 100,000 ranks that open one file are a load on a file system,
/// and a host need not see it.
LaunchRequest read_request(const mpi::Session& session, std::span<const std::string_view> words) {
    const std::optional<PlanWords> plan = plan_words(words);
    if (!plan) {
        return read_command_line(words);
    }
    const std::string text =
        mpi::agreed(MPI_COMM_WORLD, [&] { return session.rank() == 0 ? read_file(plan->file) : std::string(); });
    LaunchRequest request = read_plan(mpi::text_by_messages(MPI_COMM_WORLD, text), plan->file);
    if (const std::string heap = request.launch.text("heap"); heap != plan->heap) {
        throw usage_error("option 'heap': " + plan->file + " asks for '" + heap + "', but the heap is '" +
                          std::string(plan->heap) +
                          "': the heap is set before MPI starts, and the plan is read after that. Put '--heap " + heap +
                          "' after '--plan " + plan->file + "'");
    }
    return request;
}

/// Where all ranks find the same mistake, rank 0 reports it and all end in order. A rank that was started with other
/// words, and fails alone, aborts the launch, for the others would wait for it.
std::optional<LaunchPlan> plan_of(const mpi::Session& session, std::span<const std::string_view> words) {
    std::optional<Error> mistake;
    std::optional<LaunchPlan> plan;
    std::vector<std::string> notes;
    try {
        plan = make_plan(read_request(session, words), session.size(), notes);
    } catch (const Error& error) {
        mistake = error;
    }
    if (!session.all_agree(!mistake)) {
        session.abort(mistake.value_or(usage_error("another rank could not read its plan")));
    }
    if (session.rank() == 0) {
        for (const std::string& note : notes) {
            std::fprintf(stderr, "note: %s\n", note.c_str());
        }
        if (mistake) {
            std::fprintf(stderr, "ictus-bench: %s\n", mistake->what());
        }
    }
    return plan;
}

/// Loads the plug-ins of `--plugin FILE ...`, with which the words begin; returns how many words that are.
std::size_t load_plugins(std::span<const std::string_view> words) {
    std::size_t taken = 0;
    for (; taken + 1 < words.size() && words[taken] == "--plugin"; taken += 2) {
        plugin::load(std::string(words[taken + 1]));
    }
    (void)operation::registry(); // refuses names that are taken
    return taken;
}

std::unique_ptr<Sink> make_sink(const LaunchPlan& plan) {
    if (plan.output.empty()) {
        return std::make_unique<TableSink>();
    }
    return std::make_unique<FolderSink>(plan.output, plan.raw);
}

int run(const mpi::Session& session, std::span<const std::string_view> words) {
    const std::optional<LaunchPlan> plan = plan_of(session, words);
    if (!plan) {
        return 2;
    }
    return run_to_end(session, plan->output, [&] {
        if (!is_simulated) { // there all ranks are one process
            record::report_crashes(plan->output, session.rank(), machine::read_host(machine::SystemTree()).name);
        }
        if (plan->fault_calls > 0) {
            return count_faults(session, *plan);
        }
        const auto sink = session.rank() == 0 ? make_sink(*plan) : nullptr;
        run_launch(session, *plan, sink.get());
    });
}

void print_mpi_version(const mpi::Session& session) {
    if (session.rank() != 0) {
        return;
    }
    const record::MpiFacts facts = record::read_mpi_facts();
    record::JsonWriter json;
    json.begin_object(record::JsonWriter::Spacing::line).member("library_version", facts.library_version);
    json.member("standard", facts.standard).member("n_ranks", session.size()).end_object();
    std::fputs(json.take(true).c_str(), stdout);
}

} // namespace
} // namespace ictus::tool

int main(int argc, char** argv) {
    using namespace ictus;
    const std::vector<std::string_view> all_words(argv + 1, argv + argc);
    std::span<const std::string_view> words(all_words);
    try {
        words = words.subspan(tool::load_plugins(words));
    } catch (const Error& error) {
        std::fprintf(stderr, "ictus-bench: %s\n", error.what());
        return error.exit_code();
    }
    const std::string_view first = words.empty() ? std::string_view() : words.front();
    if (first == "--help" || first == "-h") {
        return std::fputs(tool::help_text().c_str(), stdout) < 0;
    }
    if (first == "--version") {
        return std::printf("ictus-bench %s\n", record::build_facts().version.c_str()) < 0;
    }
    if (first == "describe") {
        return std::fputs(tool::describe().c_str(), stdout) < 0;
    }
    if (first == "availability") {
        return std::fputs(tool::availability().c_str(), stdout) < 0;
    }
    const std::span<const std::string_view> behind = words.subspan(words.empty() ? 0 : 1);
    try {
        const machine::Lease lease(machine::lease_file);
        if (lease.is_there() && !is_simulated) { // MPI may crash as it starts, when no rank is known
            record::report_crashes(".", -1, machine::read_host(machine::SystemTree()).name);
        }
        if (const std::optional<double> limit_s = lease.limit_s()) {
            machine::end_after(*limit_s); // also where MPI hangs as it starts
        }
        const bool is_study = tool::is_topic(first);
        if (is_study && !behind.empty() && (behind.back() == "--help" || behind.back() == "-h")) {
            return std::fputs(tool::study_help(first, behind.first(behind.size() - 1)).c_str(), stdout) < 0;
        }
        set_heap(is_study ? Heap::kept : tool::requested_heap(words)); // the library may allocate as soon as it starts
        const mpi::Session session(&argc, &argv, is_study ? tool::threads_of(first, behind) : mpi::Threads::as_is);
        if (is_study) {
            return tool::run_study_command(session, first, behind);
        }
        if (first == "mpi-version") {
            return tool::print_mpi_version(session), 0;
        }
        if (first == "cvars") {
            return session.rank() == 0 && std::fputs(record::cvars_json().c_str(), stdout) < 0;
        }
        if (first == "dims") {
            const std::string answer = tool::dims(behind); // on all ranks, so that all find the same errors
            return session.rank() == 0 && std::fputs(answer.c_str(), stdout) < 0;
        }
        if (first == "cvar-choices") {
            return session.rank() == 0 && std::fputs(record::cvar_choices_json().c_str(), stdout) < 0;
        }
        return tool::run(session, words);
    } catch (const Error& error) {
        std::fprintf(stderr, "ictus-bench: %s\n", error.what());
        return error.exit_code();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ictus-bench: %s\n", error.what());
        return 3;
    }
}

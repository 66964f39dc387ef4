#include "redirect/report.hpp"

#include "base/error.hpp"
#include "interposition/program.hpp"
#include "record/facts.hpp"
#include "record/json.hpp"
#include "redirect/profile.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <unistd.h>

namespace ictus::redirect {

using interposition::count_in;
using interposition::counted;
using interposition::variable;

namespace {

constexpr std::string_view prefix = "ICTUS_REDIRECT_";
constexpr std::string_view known[] = {"ICTUS_REDIRECT_PROFILE", "ICTUS_REDIRECT_REPORT", "ICTUS_REDIRECT_LIMIT",
                                      "ICTUS_REDIRECT_PLUGINS", "ICTUS_REDIRECT_RANKS"};
constexpr std::string_view default_limit = "64Mi";
constexpr std::uint64_t greatest_limit = std::uint64_t{1} << 30; // MPI counts bytes in ints
constexpr std::uint64_t greatest_ranks = std::uint64_t{1} << 30;

void refuse_unknown() {
    for (char** one = environ; one != nullptr && *one != nullptr; ++one) {
        const std::string_view entry(*one);
        const std::string_view name = entry.substr(0, entry.find('='));
        if (name.starts_with(prefix) && std::ranges::find(known, name) == std::end(known)) {
            std::string allowed;
            for (const std::string_view other : known) {
                allowed += (allowed.empty() ? "" : ", ") + std::string(other);
            }
            throw usage_error("unknown variable '" + std::string(name) + "'; there are " + allowed);
        }
    }
}

} // namespace

RedirectSettings read_settings() {
    refuse_unknown();
    RedirectSettings settings;
    settings.profile = variable("ICTUS_REDIRECT_PROFILE");
    if (settings.profile.empty()) {
        throw usage_error(
            "variable 'ICTUS_REDIRECT_PROFILE' is not set: it names the file that says which calls become "
            "which mock-ups");
    }
    settings.plugins = variable("ICTUS_REDIRECT_PLUGINS");
    settings.report = variable("ICTUS_REDIRECT_REPORT");
    settings.limit_bytes = count_in("ICTUS_REDIRECT_LIMIT", default_limit, 0, greatest_limit);
    settings.n_ranks = count_in("ICTUS_REDIRECT_RANKS", "0", 0, greatest_ranks);
    return settings;
}

namespace {

using Spacing = record::JsonWriter::Spacing;

std::uint64_t sum(const std::vector<std::uint64_t>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

/// The collectives that were called.
std::vector<CollectiveKind> called(const CallCounts& counts) {
    std::vector<CollectiveKind> found;
    for (std::size_t i = 0; i < collective_names.size(); ++i) {
        const auto which = static_cast<CollectiveKind>(i);
        if (!counts.dispositions.empty() && counts.all(which) > 0) {
            found.push_back(which);
        }
    }
    return found;
}

std::string_view name_of(CollectiveKind which) { return collective_names[static_cast<std::size_t>(which)]; }

/// Whether two texts have the same words.
bool says_the_same(const std::string& one, const std::string& other) {
    return words_of(trimmed(one), one.size()) == words_of(trimmed(other), other.size());
}

/// Why a program that called MPI_Init may have no call that could be rerouted.
std::string why_none(const std::vector<interposition::ImportedFunctions>& not_covered) {
    std::string text = "the program called none of the functions that can be rerouted";
    if (not_covered.empty()) {
        return text + ": it makes no such call, or finds functions by name when it runs (dlsym)";
    }
    text += "; of MPI's other calls it imports ";
    for (const interposition::ImportedFunctions& one : not_covered) {
        text += (&one == &not_covered.front() ? "" : "; ");
        for (const std::string& name : one.names) {
            text += (&name == &one.names.front() ? "" : ", ") + name;
        }
        text += " (" + std::filesystem::path(one.object).filename().string() + ")";
    }
    return text;
}

std::vector<std::string> warnings(const RedirectReport& report) {
    std::vector<std::string> found = report.profile.remarks;
    const std::string& measured_on = report.profile.library;
    if (!measured_on.empty() && !says_the_same(measured_on, report.library_version)) {
        found.push_back("the profile was measured with '" + measured_on + "', this is '" + report.library_version +
                        "': what was faster there may be slower here");
    }
    if (report.counts.dispositions.empty()) { // the program runs
        return found;
    }
    if (sum(report.counts.dispositions) == 0) {
        found.push_back(why_none(report.not_covered));
    } else if (sum(report.counts.calls) == 0) {
        found.push_back(
            "no call was rerouted: the program makes no call of a size and number of processes in the profile");
    }
    return found;
}

void write_collective(record::JsonWriter& json, const CallCounts& counts, CollectiveKind which) {
    json.begin_object(Spacing::line).member("operation", name_of(which)).member("calls", counts.all(which));
    json.member("rerouted", counts.of(which, Disposition::rerouted)).key("passed").begin_object(Spacing::line);
    for (std::size_t i = 1; i < disposition_names.size(); ++i) {
        if (const std::uint64_t n = counts.of(which, static_cast<Disposition>(i)); n > 0) {
            json.member(disposition_names[i], n);
        }
    }
    json.end_object().end_object();
}

std::string line_of(const RedirectReport& report, CollectiveKind which) {
    const CallCounts& counts = report.counts;
    std::string text = std::string(name_of(which)) + ": " + counted(counts.all(which), "call");
    std::map<std::string_view, std::uint64_t> rerouted; // by mock-up
    for (std::size_t i = 0; i < counts.calls.size(); ++i) {
        const Reroute& one = report.profile.reroutes[i];
        if (one.operation == name_of(which) && counts.calls[i] > 0) {
            rerouted[one.substitute] += counts.calls[i];
        }
    }
    for (const auto& [mockup, n] : rerouted) {
        text += ", " + std::to_string(n) + " as " + std::string(mockup);
    }
    for (std::size_t i = 1; i < disposition_names.size(); ++i) {
        if (const std::uint64_t n = counts.of(which, static_cast<Disposition>(i)); n > 0) {
            text += ", " + std::to_string(n) + " passed through: " + std::string(disposition_names[i]);
        }
    }
    return text;
}

} // namespace

std::vector<interposition::ImportedFunctions> imported_calls() {
#define ICTUS_CALL(name, ...) "MPI_" #name,
    static const std::set<std::string_view> all = {ICTUS_ALL_CALLS};
#undef ICTUS_CALL
    const auto is_none = [](std::string_view name) {
        name.remove_prefix(name.starts_with('P') ? 1 : 0);
        name.remove_suffix(name.ends_with("_c") ? 2 : 0);
        return !all.contains(name);
    };
    std::vector<interposition::ImportedFunctions> found = interposition::functions_beside_ours();
    for (interposition::ImportedFunctions& one : found) {
        std::erase_if(one.names, is_none);
    }
    std::erase_if(found, [](const interposition::ImportedFunctions& one) { return one.names.empty(); });
    return found;
}

std::string as_json(const RedirectReport& report) {
    const CallCounts& counts = report.counts;
    std::uint64_t calls = 0;
    for (const CollectiveKind which : called(counts)) {
        calls += counts.all(which);
    }
    record::JsonWriter json;
    json.begin_object().member("format", 1).member("ictus", record::build_facts().version);
    json.member("state", std::isnan(report.elapsed_s) ? "running" : "finalised");
    json.member("profile", report.settings.profile).member("measured_on", report.profile.library);
    json.member("library_version", report.library_version).member("n_ranks", report.n_ranks);
    json.member("limit_bytes", report.settings.limit_bytes).member("scratch_bytes", counts.scratch_bytes);
    json.member("elapsed_s", report.elapsed_s).member("calls", calls).member("rerouted", sum(counts.calls));
    json.key("operations").begin_array();
    for (const CollectiveKind which : called(counts)) {
        write_collective(json, counts, which);
    }
    json.end_array().key("reroutes").begin_array();
    for (std::size_t i = 0; i < report.profile.reroutes.size(); ++i) {
        const Reroute& one = report.profile.reroutes[i];
        json.begin_object(Spacing::line).member("line", one.line).member("operation", one.operation);
        json.member("n", one.n).member("from_bytes", one.from_bytes).member("to_bytes", one.to_bytes);
        json.member("mockup", one.substitute).member("calls", counts.calls.empty() ? 0 : counts.calls[i]);
        json.member("bytes", counts.bytes.empty() ? 0 : counts.bytes[i]).end_object();
    }
    json.end_array().key("not_covered").begin_array();
    for (const interposition::ImportedFunctions& one : report.not_covered) {
        json.begin_object(Spacing::line).member("file", one.object).list("functions", one.names).end_object();
    }
    json.end_array().list("warnings", warnings(report)).end_object();
    return json.take(true);
}

std::vector<std::string> as_lines(const RedirectReport& report) {
    const CallCounts& counts = report.counts;
    std::uint64_t calls = 0;
    std::vector<std::string> lines{""};
    for (const CollectiveKind which : called(counts)) {
        calls += counts.all(which);
        lines.push_back(line_of(report, which));
    }
    lines[0] = calls == 0 ? "nothing is known of the program's calls"
                          : std::to_string(sum(counts.calls)) + " of " + counted(calls, "call") + " rerouted by " +
                                report.settings.profile;
    for (const std::string& warning : warnings(report)) {
        lines.push_back("warning: " + warning);
    }
    return lines;
}

} // namespace ictus::redirect

#include "redirect/report.hpp"

#include "record/facts.hpp"
#include "record/json.hpp"
#include "redirect/profile.hpp"

#include <cmath>
#include <map>
#include <numeric>

namespace ictus::redirect {
namespace {

using Spacing = record::JsonWriter::Spacing;

std::uint64_t sum(const std::vector<std::uint64_t>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

std::string counted(std::uint64_t n, const std::string& what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

/// The collectives that were called.
std::vector<CollectiveKind> called(const Counts& counts) {
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

std::vector<std::string> warnings(const RedirectReport& report) {
    std::vector<std::string> found = report.profile.remarks;
    const std::string& measured_on = report.profile.library;
    if (!measured_on.empty() && !says_the_same(measured_on, report.library_version)) {
        found.push_back("the profile was measured on '" + measured_on + "', this is '" + report.library_version +
                        "': what was faster there need not be faster here");
    }
    if (!report.counts.calls.empty() && sum(report.counts.calls) == 0) {
        found.push_back("no call was rerouted: the program makes none of the sizes and numbers of processes of the "
                        "profile");
    }
    return found;
}

void write_collective(record::JsonWriter& json, const Counts& counts, CollectiveKind which) {
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
    const Counts& counts = report.counts;
    std::string text = std::string(name_of(which)) + ": " + counted(counts.all(which), "call");
    std::map<std::string_view, std::uint64_t> rerouted; // by mock-up
    for (std::size_t i = 0; i < counts.calls.size(); ++i) {
        const mockup::Algorithm& one = *report.profile.reroutes[i].mockup;
        if (one.stands_for == name_of(which) && counts.calls[i] > 0) {
            rerouted[one.name] += counts.calls[i];
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

std::string as_json(const RedirectReport& report) {
    const Counts& counts = report.counts;
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
        json.begin_object(Spacing::line).member("line", one.line).member("operation", one.mockup->stands_for);
        json.member("n", one.n).member("from_bytes", one.from_bytes).member("to_bytes", one.to_bytes);
        json.member("mockup", one.mockup->name).member("calls", counts.calls.empty() ? 0 : counts.calls[i]);
        json.member("bytes", counts.bytes.empty() ? 0 : counts.bytes[i]).end_object();
    }
    json.end_array().list("warnings", warnings(report)).end_object();
    return json.take(true);
}

std::vector<std::string> as_lines(const RedirectReport& report) {
    const Counts& counts = report.counts;
    std::uint64_t calls = 0;
    std::vector<std::string> lines{""};
    for (const CollectiveKind which : called(counts)) {
        calls += counts.all(which);
        lines.push_back(line_of(report, which));
    }
    lines[0] =
        std::to_string(sum(counts.calls)) + " of " + counted(calls, "call") + " rerouted by " + report.settings.profile;
    for (const std::string& warning : warnings(report)) {
        lines.push_back("warning: " + warning);
    }
    return lines;
}

} // namespace ictus::redirect

#include "preload/report.hpp"

#include "interposition/program.hpp"
#include "mpi/handles.hpp"
#include "record/facts.hpp"
#include "record/json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ictus::preload {
namespace {

struct GatheredTallies {
    std::vector<Tally> tallies;
    std::vector<int> counts; ///< a rank
};

GatheredTallies gather_tallies(MPI_Comm world, std::span<const Tally> own) {
    int rank = 0;
    int size = 0;
    mpi::check(MPI_Comm_rank(world, &rank), "MPI_Comm_rank");
    mpi::check(MPI_Comm_size(world, &size), "MPI_Comm_size");
    GatheredTallies all;
    all.counts.resize(rank == 0 ? static_cast<std::size_t>(size) : 0);
    const int count = static_cast<int>(own.size());
    mpi::check(MPI_Gather(&count, 1, MPI_INT, all.counts.data(), 1, MPI_INT, 0, world), "MPI_Gather");
    MPI_Datatype type = MPI_DATATYPE_NULL; // so that counts stay small
    mpi::check(MPI_Type_contiguous(static_cast<int>(sizeof(Tally)), MPI_BYTE, &type), "MPI_Type_contiguous");
    mpi::check(MPI_Type_commit(&type), "MPI_Type_commit");
    std::vector<int> places;
    int total = 0;
    for (const int one : all.counts) {
        places.push_back(total);
        total += one;
    }
    all.tallies.resize(static_cast<std::size_t>(total));
    mpi::check(
        MPI_Gatherv(own.data(), count, type, all.tallies.data(), all.counts.data(), places.data(), type, 0, world),
        "MPI_Gatherv");
    MPI_Type_free(&type);
    return all;
}

bool same_communicator(const Tally& a, const Tally& b) { return a.creator == b.creator && a.number == b.number; }

bool created_before(const Tally& a, const Tally& b) {
    return a.creator != b.creator ? a.creator < b.creator : a.number < b.number;
}

/// One a communicator, in the order of their creators.
std::vector<Tally> distinct(std::vector<Tally> tallies) {
    std::sort(tallies.begin(), tallies.end(), created_before);
    tallies.erase(std::unique(tallies.begin(), tallies.end(), same_communicator), tallies.end());
    return tallies;
}

void add(CommunicatorRow& row, const Tally& one) {
    row.kept = row.calls == 0 ? one.kept : std::min(row.kept, one.kept);
    row.communicators += one.communicators;
    row.barriers += one.barriers;
    row.calls += one.calls;
    row.missed += one.missed;
    row.bound_in_windows = weaker_bound(row.bound_in_windows, one.bound_in_windows);
}

} // namespace

double weaker_bound(double a, double b) { return std::isnan(a) || a > b ? a : b; }

void add_together(Tally& into, const Tally& one) {
    into.creator = together;
    into.number = 0;
    into.n_ranks = 0;
    into.communicators += one.communicators;
    into.barriers += one.barriers;
    into.calls += one.calls;
    into.missed += one.missed;
    into.bound_in_windows = weaker_bound(into.bound_in_windows, one.bound_in_windows);
    into.kept = 0;
}

BarrierAccount gather_account(MPI_Comm world, std::span<const Tally> own, std::uint64_t left) {
    BarrierAccount account;
    mpi::check(MPI_Reduce(&left, &account.left, 1, MPI_UINT64_T, MPI_SUM, 0, world), "MPI_Reduce");
    const GatheredTallies all = gather_tallies(world, own);
    const std::vector<Tally> communicators = distinct(all.tallies);
    for (const Tally& one : communicators) {
        account.rows.push_back({.name = one.name, .n_ranks = one.n_ranks, .stride = one.stride});
    }
    std::size_t next = 0;
    for (std::size_t rank = 0; rank < all.counts.size(); ++rank) {
        for (int i = 0; i < all.counts[rank]; ++i, ++next) {
            const Tally& one = all.tallies[next];
            const auto found = std::lower_bound(communicators.begin(), communicators.end(), one, created_before);
            const auto row = static_cast<std::size_t>(found - communicators.begin());
            add(account.rows[row], one);
            account.shares.push_back({static_cast<int>(rank), row, one.kept});
        }
    }
    return account;
}

namespace {

constexpr double small_share = 0.01;
constexpr double small_bound = 0.1; // of a window

/// All communicators together.
CommunicatorRow total(const BarrierAccount& account) {
    CommunicatorRow all;
    for (const CommunicatorRow& row : account.rows) {
        all.communicators += row.communicators;
        all.barriers += row.barriers;
        all.calls += row.calls;
        all.missed += row.missed;
        all.bound_in_windows = weaker_bound(all.bound_in_windows, row.bound_in_windows);
    }
    return all;
}

double missed_share(const PreloadSettings& settings, const CommunicatorRow& row) {
    const bool has_any = settings.semantics.has_deadlines && row.calls > 0;
    return has_any ? static_cast<double>(row.missed) / static_cast<double>(row.calls) : std::nan("");
}

std::string percent(double share) {
    char text[16] = {};
    std::snprintf(text, sizeof text, share < 0.1 ? "%.2g %%" : "%.0f %%", 100.0 * share);
    return text;
}

std::vector<std::string> warnings(const BarrierReport& report) {
    std::vector<std::string> found;
    const double share = missed_share(report.settings, total(report.account));
    if (share > small_share) {
        found.push_back(percent(share) + " of the calls missed their deadline: these starts were not common; "
                                         "stop what else uses the cores, or set a longer slack or window");
    }
    if (const double bound = total(report.account).bound_in_windows; !(bound <= small_bound)) {
        found.push_back("the clocks for windows are synchronised only once, and at the last barriers " +
                        (std::isnan(bound) ? "no bound of their error is proven"
                                           : "their error may have been " + percent(bound) + " of a window") +
                        ": use 'harmonize', which synchronises them again, a longer window, or another "
                        "ICTUS_PRELOAD_CLOCKSYNC");
    }
    if (!report.settings.semantics.holds) {
        found.push_back(
            "procsync '" + report.settings.given +
            "' does not make any process wait: a program that relies on its barriers gives wrong results with it");
    }
    return found;
}

void write_row(record::JsonWriter& json, const PreloadSettings& settings, const CommunicatorRow& row) {
    json.begin_object(record::JsonWriter::Spacing::line).member("name", row.name);
    json.member("communicators", row.communicators).member("n_ranks", row.n_ranks);
    json.member("barriers", row.barriers).member("calls", row.calls).member("missed", row.missed);
    json.member("missed_share", missed_share(settings, row)).member("kept", row.kept);
    json.member("stride", row.stride).end_object();
}

} // namespace

std::string as_json(const BarrierReport& report) {
    const CommunicatorRow all = total(report.account);
    record::JsonWriter json;
    json.begin_object().member("format", 1).member("ictus", record::build_facts().version);
    json.member("state", std::isnan(report.elapsed_s) ? "running" : "finalised");
    json.member("procsync", report.settings.procsync).member("clocksync", report.settings.clocksync);
    json.member("clock", report.settings.clock).member("library_version", report.library_version);
    json.member("n_ranks", report.n_ranks).member("elapsed_s", report.elapsed_s);
    json.member("barriers", all.barriers).member("calls", all.calls).member("missed", all.missed);
    json.member("missed_share", missed_share(report.settings, all)).member("left_to_library", report.account.left);
    json.key("communicators").begin_array();
    for (const CommunicatorRow& row : report.account.rows) {
        write_row(json, report.settings, row);
    }
    json.end_array().key("log");
    if (report.log_clock.empty()) {
        json.null();
    } else {
        json.begin_object(record::JsonWriter::Spacing::line).member("file", "exits.npy");
        json.member("limit", report.settings.log_limit).member("clock", report.log_clock).end_object();
    }
    json.list("warnings", warnings(report)).end_object();
    return json.take(true);
}

std::vector<std::string> as_lines(const BarrierReport& report) {
    const CommunicatorRow all = total(report.account);
    using interposition::counted;
    std::string line = counted(all.barriers, "barrier") + " of " + counted(all.communicators, "communicator") +
                       " replaced by " + report.settings.given;
    if (report.settings.semantics.has_deadlines) {
        line += "; " + std::to_string(all.missed) + " of " + counted(all.calls, "call") + " missed the deadline";
    }
    if (report.account.left > 0) {
        line += "; " + counted(report.account.left, "call") + " left to the library";
    }
    std::vector<std::string> lines{line};
    for (const std::string& warning : warnings(report)) {
        lines.push_back("warning: " + warning);
    }
    return lines;
}

} // namespace ictus::preload

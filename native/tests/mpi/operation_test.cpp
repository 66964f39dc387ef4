// Every operation on every datatype, with every operator that MPI allows, computes what its payload says. Run at any
// number of ranks:
//     mpiexec -n 3 operation_test
// Behind the preloaded libictus-flip (ICTUS_FLIP_*), which spoils what one rank receives, `--expect-corruption` turns
// the claim round: check() complains on exactly that rank, in exactly the cases in which that rank receives data. In
// mode early, where barriers wait for nobody, it complains of them on some rank.
#include "workload/counts.hpp"
#include "workload/operation/nested.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <vector>

using namespace ictus;

namespace {

constexpr std::size_t counts[] = {0, 1, 3, 64, 1000};
constexpr std::string_view distributions[] = {"equal", "linear", "spike", "random(1)"};
constexpr std::size_t few_counts[] = {0, 5};

/// Alive as long as the trials that use them.
std::vector<std::unique_ptr<Layout>> derived_layouts() {
    std::vector<std::unique_ptr<Layout>> layouts;
    for (const char* text : {"contiguous(3)", "vector(2,5,2)", "indexed(3,2)"}) {
        layouts.push_back(layout::registry().make(bind(layout::family(), parse_spec(text))));
    }
    return layouts;
}

/// One case on this rank.
struct Trial {
    Bound call;
    std::shared_ptr<const OperationMember> member; ///< what is known of it
    CallSite site;
    std::string_view distribution; ///< of the counts
    bool by_start = false;         ///< begun and completed apart instead of by call()
};

struct World {
    int rank = 0;
    int n_ranks = 1;
};

World world() {
    World world;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.n_ranks);
    return world;
}

/// The roots that make a difference: the first and the last rank.
std::vector<int> roots(const OperationMember& member, int n_ranks) {
    if (!member.rooted || n_ranks == 1) {
        return {0};
    }
    return {0, n_ranks - 1};
}

/// Whether all payloads make a difference. The forms of a collective differ in how it is called, and not in what it
/// computes: the blocking one stands for all in that, and an operation for those that it is a part of. All have one
/// more beside bytes (add_payloads). More than three ranks find no more in a payload.
bool takes_all_payloads(const OperationMember& member) {
    return world().n_ranks <= 3 && member.form == Form::blocking && member.nested == nullptr &&
           member.volume != Volume::none;
}

/// Whether it works on a window by operators of MPI alone, or on single elements: not on derived datatypes either,
/// which take operators of ours.
bool is_atomic(const OperationMember& member) {
    constexpr std::string_view names[] = {"accumulate", "get_accumulate", "fetch_and_op", "compare_and_swap"};
    return std::ranges::find(names, member.name) != std::end(names);
}

/// All that are allowed, any one where nothing is reduced.
std::vector<const Operator*> operators_for(const OperationMember& member, const Datatype& datatype) {
    std::vector<const Operator*> allowed;
    for (const Operator& reduction : operators()) {
        const bool is_taken = !is_atomic(member) || !reduction.is_user_defined();
        if (!member.reduces || (is_taken && allows(datatype, reduction))) {
            allowed.push_back(&reduction);
        }
    }
    allowed.resize(member.reduces && takes_all_payloads(member) ? allowed.size() : 1);
    return allowed;
}

std::span<const Datatype> datatypes_for(const OperationMember& member) {
    return datatypes().first(takes_all_payloads(member) ? datatypes().size() : 1); // bytes
}

/// `equal` alone where blocks have no sizes of their own, and one more that is no such corner case for most sizes.
std::span<const std::string_view> distributions_for(const OperationMember& member, std::size_t count) {
    return std::span(distributions).first(member.varied ? (count > 3 ? std::size(distributions) : 2) : 1);
}

/// A case for each count and root.
void add_trials(std::vector<Trial>& trials, const Trial& like, CallSite site, std::span<const std::size_t> of_counts) {
    const OperationMember& member = *like.member;
    for (const std::size_t count : of_counts) {
        for (const int root : roots(member, site.n_ranks)) {
            site.count = count;
            site.root = root;
            const auto all = distributions_for(member, count);
            for (const std::string_view distribution : all.first(site.in_place ? 1 : all.size())) {
                trials.push_back({like.call, like.member, site, distribution, trials.size() % 2 == 1});
            }
        }
    }
}

/// Every datatype with every operator, all counts with one of them.
void add_payloads(std::vector<Trial>& trials, const Trial& like, CallSite site) {
    const OperationMember& member = *like.member;
    if (!takes_all_payloads(member)) {
        site.datatype = &find_datatype("double");
        site.reduction = &find_operator("sum");
        add_trials(trials, like, site, std::span(few_counts).last(1));
    }
    for (const Datatype& datatype : datatypes_for(member)) {
        site.datatype = &datatype;
        for (const Operator* reduction : operators_for(member, datatype)) {
            site.reduction = reduction;
            const bool is_first = reduction == operators_for(member, datatype).front();
            if (is_first) {
                add_trials(trials, like, site, counts);
            } else {
                add_trials(trials, like, site, std::span(few_counts).last(1));
            }
        }
    }
}

/// MPICH 5.0 writes beyond memory of its own where these reduce a datatype with gaps by an operator that does not
/// commute (at 1, 2 and 8 ranks): a defect of the library, in which the test would end.
bool overruns_gaps(const Bound& call) {
    return std::ranges::any_of(operation::leaves(call), [](const Bound& one) {
        const std::string_view name = operation::traits(one.info().name).collective;
        return name.starts_with("reduce_scatter") || name.find("_as_reduce_scatter") != std::string_view::npos;
    });
}

/// In place and not, on basic datatypes and on derived ones; reduced by an operator that does not commute.
void add_options(std::vector<Trial>& trials, const Trial& like, CallSite site,
                 std::span<const std::unique_ptr<Layout>> layouts) {
    const OperationMember& member = *like.member;
    for (const bool in_place : {false, true}) {
        if (in_place && member.in_place == InPlace::never) {
            continue;
        }
        site.in_place = in_place;
        site.layout = nullptr;
        site.datatype = &find_datatype("byte");
        site.reduction = &find_operator("user(affine)");
        add_trials(trials, like, site, few_counts);
        site.datatype = &find_datatype("double");
        site.reduction = &find_operator(overruns_gaps(like.call) ? "user(max)" : "user(affine)");
        for (const auto& layout : layouts) {
            site.layout = layout.get();
            add_trials(trials, like, site, few_counts);
        }
    }
}

/// Every operation with the defaults of its parameters; of those that consist of others a few of each kind.
std::vector<Bound> all_calls() {
    std::vector<Bound> calls;
    for (const MemberInfo* info : operation::family().members) {
        if (operation::traits(info->name).nested == nullptr) {
            calls.push_back(bind(operation::family(), {std::string(info->name), {}}));
        }
    }
    for (const char* text : {"repeated(ibcast,3)", "repeated(allreduce,2)", "sequence(gather,repeated(scan,2))",
                             "sequence(scatterv,barrier,iallgather,reduce_scatter)"}) {
        calls.push_back(bind(operation::family(), parse_spec(text)));
    }
    return calls;
}

std::vector<Trial> all_trials(std::span<const std::unique_ptr<Layout>> layouts) {
    const auto [rank, n_ranks] = world();
    std::vector<Trial> trials;
    for (const Bound& call : all_calls()) {
        const auto member = std::make_shared<OperationMember>(operation::traits(call));
        if (!member->available) {
            continue;
        }
        CallSite site;
        site.comm = MPI_COMM_WORLD;
        site.rank = rank;
        site.n_ranks = n_ranks;
        const Trial like{call, member, site, "equal"};
        add_payloads(trials, like, site);
        if (is_atomic(*member)) { // of the count that is told behind a library that spoils
            site.datatype = &find_datatype("double");
            site.reduction = &find_operator("sum");
            add_trials(trials, like, site, std::span(few_counts).last(1));
        } else if (member->volume != Volume::none) {
            add_options(trials, like, site, layouts);
        }
    }
    return trials;
}

/// Whether the receive buffer has an operand before the call.
bool keeps_operand(const Trial& trial) {
    return trial.site.in_place || trial.member->name == "reduce_local" || trial.member->name == "accumulate";
}

/// By its start and a completion of our own, as `ictus overlap` calls it.
int call_apart(Startable& startable) {
    MPI_Request request = MPI_REQUEST_NULL;
    int is_over = 0;
    int code = startable.bind_start(request)();
    code = code == MPI_SUCCESS ? MPI_Test(&request, &is_over, MPI_STATUS_IGNORE) : code;
    return code == MPI_SUCCESS && is_over == 0 ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
}

/// Whether a second call may differ from the first: a persistent operation is made once for all its calls, and what is
/// made of several calls may keep memory between them. Of the blocking ones one count shows that.
bool is_called_again(const Trial& trial) {
    return trial.member->form != Form::blocking || trial.site.count == few_counts[1] ||
           trial.member->volume == Volume::none;
}

/// Each call has a payload of its own. A second one is made whatever the first one shows: checks may be collective.
std::optional<Mismatch> run(const Trial& trial, std::uint64_t seed) {
    const auto counts = counts::registry().make(bind(counts::family(), parse_spec(trial.distribution)));
    CallSite site = trial.site;
    site.counts = trial.member->varied ? counts.get() : nullptr;
    const auto operation = operation::registry().make(trial.call, site);
    Startable* const startable = operation->startable();
    if ((trial.member->form != Form::blocking) != (startable != nullptr)) {
        return Mismatch{"startable()", "an answer that fits the form", "another"};
    }
    std::optional<Mismatch> found;
    for (int i = 0; i < (is_called_again(trial) ? 2 : 1); ++i) {
        const bool again = i == 1;
        const std::uint64_t payload = 2 * seed + (again ? 1 : 0);
        operation->fill(payload);
        const bool is_apart = again && trial.by_start && startable != nullptr;
        if ((is_apart ? call_apart(*startable) : operation->call()) != MPI_SUCCESS) {
            return Mismatch{"return code", "MPI_SUCCESS", "an error"};
        }
        auto mismatch = operation->check(payload);
        if (mismatch && !found) {
            mismatch->where += again ? ", second call" : "";
            found = std::move(mismatch);
        }
    }
    return found;
}

std::string_view mode() {
    const char* const mode = std::getenv("ICTUS_FLIP_MODE");
    return mode == nullptr ? "flip" : mode;
}

/// What the preloaded library was asked to spoil.
struct Spoiling {
    std::string_view operation; ///< empty: nothing
    int rank = 0;

    [[nodiscard]] bool includes(const OperationMember& member) const {
        return !is_open(member) && member.volume != Volume::none && (operation == "*" || operation == member.mpi_name);
    }
    /// Whether it cannot be said who sees it: what a mock-up's calls spoil, or the rounds of an exchange, may be handed
    /// on to other ranks, or dropped; on the open grid of the default the last block of a neighbour comes from nobody,
    /// and there is nothing to truncate; which rank comes late to a barrier is the seed's choice. Of what consists of
    /// others: nested_test.
    [[nodiscard]] static bool is_open(const OperationMember& member) {
        return !member.mockup_of.empty() || member.nested != nullptr || member.name.starts_with("sparse_") ||
               (mode() == "truncate" && member.collective.starts_with("neighbor_")) || mode() == "early";
    }
};

Spoiling spoiling() {
    const char* const operation = std::getenv("ICTUS_FLIP_OPERATION");
    const char* const rank = std::getenv("ICTUS_FLIP_RANK");
    return {operation == nullptr ? "" : operation,
            rank == nullptr ? 0 : static_cast<int>(std::strtol(rank, nullptr, 10))};
}

/// The rank whose call brings data to the rank of this trial: its own but for what is put there by the one before.
int spoiled_by(const Trial& trial) {
    const bool is_put = trial.member->name == "put" || trial.member->name == "accumulate";
    return (trial.site.rank + (is_put ? trial.site.n_ranks - 1 : 0)) % trial.site.n_ranks;
}

/// Whether MPI delivers data to the rank of this trial.
bool receives(const Trial& trial) {
    const CallSite& site = trial.site;
    const std::string_view name = trial.member->collective;
    if (site.count == 0) {
        return false;
    }
    if (name.starts_with("pingpong")) {
        return site.rank == 0 || site.rank == site.n_ranks - 1;
    }
    if (name == "bandwidth") { // from the first half to the second
        return (site.rank >= site.n_ranks / 2 && site.rank < site.n_ranks / 2 * 2) || site.n_ranks == 1;
    }
    if (name == "bibandwidth") { // of an odd number of ranks the last is idle
        return site.rank < site.n_ranks / 2 * 2 || site.n_ranks == 1;
    }
    if (name == "bcast") {
        return site.rank != site.root;
    }
    if (name == "gather" || name == "gatherv" || name == "reduce") {
        return site.rank == site.root;
    }
    if (name == "scatter" || name == "scatterv") {
        return !site.in_place || site.rank != site.root;
    }
    return name != "exscan" || site.rank > 0;
}

/// Whether a trial is made behind a library that spoils: of one count, with which every operation is tried and of which
/// it can be said what is seen. Of blocks that differ every rank then has one, but for random ones. Mode early spoils
/// nothing but barriers.
bool is_told(const Trial& trial) {
    const OperationMember& member = *trial.member;
    if (mode() == "early") {
        return member.volume == Volume::none && member.nested == nullptr && member.name != "empty";
    }
    return trial.site.count == few_counts[1] && !trial.distribution.starts_with("random");
}

/// Where the receive buffer held an operand, what was never written may be what it should be by chance; what is reduced
/// into one may be so whatever was sent (the greater of two, a truth value).
bool may_coincide(const Trial& trial) {
    if (trial.member->name == "accumulate") {
        return true;
    }
    return keeps_operand(trial) && mode() != "flip";
}

void print_failure(const Trial& trial, const std::optional<Mismatch>& mismatch) {
    const CallSite& site = trial.site;
    std::string what = "the corruption was not seen";
    if (mismatch) {
        what = mismatch->where + ": expected " + mismatch->expected + ", found " + mismatch->found;
    }
    std::printf("FAILED %s%s, %s%s, %s, count %zu, %s, root %d, rank %d: %s\n", to_string(trial.call.spec()).c_str(),
                site.in_place ? " in place" : "", std::string(site.datatype->name).c_str(),
                site.layout != nullptr ? " in units" : "", std::string(site.reduction->name).c_str(), site.count,
                std::string(trial.distribution).c_str(), site.root, site.rank, what.c_str());
}

struct Tally {
    std::vector<int> failed; // one a trial
    std::vector<int> seen;   // corruptions, one a trial
};

/// The largest over ranks. PMPI: the test's own traffic is not to be spoiled.
void combine_over_ranks(std::span<int> flags) {
    PMPI_Allreduce(MPI_IN_PLACE, flags.data(), static_cast<int>(flags.size()), MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

Tally run_all(const std::vector<Trial>& trials, bool expect_corruption) {
    Tally tally{std::vector<int>(trials.size()), std::vector<int>(trials.size())};
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const auto mismatch = run(trials[i], i + 1);
        const OperationMember& member = *trials[i].member;
        const bool expected = expect_corruption && spoiling().includes(member) &&
                              spoiling().rank == spoiled_by(trials[i]) && receives(trials[i]);
        const bool is_open = expect_corruption && Spoiling::is_open(member);
        const bool is_wrong = mismatch.has_value() != expected && !(expected && may_coincide(trials[i])) && !is_open;
        tally.failed[i] = is_wrong ? 1 : 0;
        tally.seen[i] = mismatch.has_value() && (expected || is_open) ? 1 : 0;
        if (tally.failed[i] != 0) {
            print_failure(trials[i], mismatch);
        }
    }
    combine_over_ranks(tally.failed);
    combine_over_ranks(tally.seen);
    return tally;
}

/// The operations in none of whose trials a corruption was seen, as a text; without data those that mode early spoils.
std::string operations_missed(const std::vector<Trial>& trials, const Tally& tally) {
    std::set<std::string> missed;
    for (const Trial& trial : trials) {
        if (trial.member->volume != Volume::none || mode() == "early") {
            missed.insert(to_string(trial.call.spec()));
        }
    }
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (tally.seen[i] != 0) {
            missed.erase(to_string(trials[i].call.spec()));
        }
    }
    std::string names;
    for (const std::string& name : missed) {
        names += " " + name + ";";
    }
    return names;
}

/// The operations in which corruption was seen, as a text.
std::string operations_seen(const std::vector<Trial>& trials, const Tally& tally) {
    std::string names;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const std::string name(trials[i].member->mpi_name);
        if (tally.seen[i] != 0 && names.find(name + ";") == std::string::npos) {
            names += " " + name + ";";
        }
    }
    return names;
}

/// The operations that are validated here, one a line.
void list(const std::vector<Trial>& trials) {
    std::set<std::string_view> names;
    for (const Trial& trial : trials) {
        names.insert(trial.call.info().name);
    }
    for (const std::string_view name : names) {
        std::printf("%s\n", std::string(name).c_str());
    }
}

/// Prints what was seen, once; whether it is what should be.
bool report(const std::vector<Trial>& trials, const Tally& tally, bool expect_corruption) {
    const auto failed = static_cast<int>(std::count(tally.failed.begin(), tally.failed.end(), 1));
    const auto n_seen = static_cast<int>(std::count(tally.seen.begin(), tally.seen.end(), 1));
    const std::string missed =
        expect_corruption && spoiling().operation == "*" ? operations_missed(trials, tally) : std::string();
    if (trials.front().site.rank == 0) {
        if (expect_corruption) {
            std::printf("%d corruptions seen:%s\n", n_seen, operations_seen(trials, tally).c_str());
        }
        if (!missed.empty()) {
            std::printf("no corruption seen in%s\n", missed.c_str());
        }
        std::printf("%d passed, %d failed\n", static_cast<int>(trials.size()) - failed, failed);
    }
    return failed == 0 && (!expect_corruption || n_seen > 0);
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const std::string_view word = argc > 1 ? argv[1] : "";
    const bool expect_corruption = word == "--expect-corruption";
    if (!word.empty() && !expect_corruption && word != "--list") {
        std::fprintf(stderr, "unknown argument '%s'; known are --expect-corruption and --list\n", argv[1]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const auto layouts = derived_layouts();
    auto trials = all_trials(layouts);
    if (word == "--list") {
        list(trials);
        MPI_Finalize();
        return 0;
    }
    if (expect_corruption) {
        std::erase_if(trials, [](const Trial& trial) { return !is_told(trial); });
    }
    const bool is_right = report(trials, run_all(trials, expect_corruption), expect_corruption);
    MPI_Finalize();
    return is_right ? 0 : 1;
}

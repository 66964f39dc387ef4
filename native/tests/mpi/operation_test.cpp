// Every operation on every datatype, with every operator that MPI allows, computes what its payload says. Run at any
// number of ranks:
//     mpiexec -n 3 operation_test
// Behind the preloaded libictus-flip (ICTUS_FLIP_*), which spoils what one rank receives, `--expect-corruption` turns
// the claim round: check() complains on exactly that rank, in exactly the cases in which that rank receives data.
#include "counts/counts.hpp"
#include "operation/operation.hpp"
#include "operation/partition.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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
    const OperationMember* member;
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

/// All that are allowed, any one where nothing is reduced. The forms of a collective differ in how it is called, and
/// not in what it computes: the blocking one stands for all in that.
std::vector<const Operator*> operators_for(const OperationMember& member, const Datatype& datatype) {
    std::vector<const Operator*> allowed;
    for (const Operator& reduction : operators()) {
        if (!member.reduces || allows(datatype, reduction)) {
            allowed.push_back(&reduction);
        }
    }
    allowed.resize(member.reduces && member.form == Form::blocking ? allowed.size() : 1);
    return allowed;
}

std::span<const Datatype> datatypes_for(const OperationMember& member) {
    return datatypes().first(member.form == Form::blocking ? datatypes().size() : 1); // bytes
}

/// `equal` alone where blocks have no sizes of their own, and one more that is no such corner case for most sizes.
std::span<const std::string_view> distributions_for(const OperationMember& member, std::size_t count) {
    return std::span(distributions).first(member.varied ? (count > 3 ? std::size(distributions) : 2) : 1);
}

/// A case for each count and root.
void add_trials(std::vector<Trial>& trials, const OperationMember& member, CallSite site,
                std::span<const std::size_t> of_counts) {
    for (const std::size_t count : of_counts) {
        for (const int root : roots(member, site.n_ranks)) {
            site.count = count;
            site.root = root;
            const auto all = distributions_for(member, count);
            for (const std::string_view distribution : all.first(site.in_place ? 1 : all.size())) {
                trials.push_back({&member, site, distribution, trials.size() % 2 == 1});
            }
        }
    }
}

/// Every datatype with every operator, all counts with one of them.
void add_payloads(std::vector<Trial>& trials, const OperationMember& member, CallSite site) {
    for (const Datatype& datatype : datatypes_for(member)) {
        site.datatype = &datatype;
        for (const Operator* reduction : operators_for(member, datatype)) {
            site.reduction = reduction;
            const bool is_first = reduction == operators_for(member, datatype).front();
            if (is_first) {
                add_trials(trials, member, site, counts);
            } else {
                add_trials(trials, member, site, std::span(few_counts).last(1));
            }
        }
    }
}

/// MPICH 5.0 writes beyond memory of its own where these reduce a datatype with gaps by an operator that does not
/// commute (at 1, 2 and 8 ranks): a defect of the library, in which the test would end.
bool overruns_gaps(const OperationMember& member) {
    return member.collective.starts_with("reduce_scatter") ||
           member.collective.find("_as_reduce_scatter") != std::string_view::npos;
}

/// In place and not, on basic datatypes and on derived ones; reduced by an operator that does not commute.
void add_options(std::vector<Trial>& trials, const OperationMember& member, CallSite site,
                 std::span<const std::unique_ptr<Layout>> layouts) {
    for (const bool in_place : {false, true}) {
        if (in_place && member.in_place == InPlace::never) {
            continue;
        }
        site.in_place = in_place;
        site.layout = nullptr;
        site.datatype = &find_datatype("byte");
        site.reduction = &find_operator("user(affine)");
        add_trials(trials, member, site, few_counts);
        site.datatype = &find_datatype("double");
        site.reduction = &find_operator(overruns_gaps(member) ? "user(max)" : "user(affine)");
        for (const auto& layout : layouts) {
            site.layout = layout.get();
            add_trials(trials, member, site, few_counts);
        }
    }
}

std::vector<Trial> all_trials(std::span<const std::unique_ptr<Layout>> layouts) {
    const auto [rank, n_ranks] = world();
    std::vector<Trial> trials;
    for (const MemberInfo* info : operation::family().members) {
        const OperationMember& member = operation::traits(info->name);
        if (!member.available || member.name == "accumulate") { // that takes no operators of ours: exchange_test
            continue;
        }
        CallSite site;
        site.comm = MPI_COMM_WORLD;
        site.rank = rank;
        site.n_ranks = n_ranks;
        add_payloads(trials, member, site);
        if (member.volume != Volume::none) {
            add_options(trials, member, site, layouts);
        }
    }
    return trials;
}

std::vector<std::uint32_t> weights_of(const Trial& trial) {
    return counts::registry().make(bind(counts::family(), parse_spec(trial.distribution)))->weights(trial.site.n_ranks);
}

/// Whether a call begins with what the last one left in the receive buffer.
bool keeps_operand(const Trial& trial) { return trial.site.in_place || trial.member->name == "reduce_local"; }

/// Twice, because a persistent operation is made once for all its calls.
int call_twice(const Trial& trial, Operation& operation) {
    Startable* const startable = operation.startable();
    const int first = operation.call();
    if (first != MPI_SUCCESS || keeps_operand(trial)) {
        return first;
    }
    if (startable == nullptr || !trial.by_start) {
        return operation.call();
    }
    MPI_Request request = MPI_REQUEST_NULL;
    int is_over = 0;
    int code = startable->start(request);
    code = code == MPI_SUCCESS ? MPI_Test(&request, &is_over, MPI_STATUS_IGNORE) : code;
    return code == MPI_SUCCESS && is_over == 0 ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
}

std::optional<Mismatch> run(const Trial& trial, std::uint64_t seed) {
    const auto weights = weights_of(trial);
    CallSite site = trial.site;
    site.weights = weights;
    const auto operation =
        operation::registry().make(bind(operation::family(), {std::string(trial.member->name), {}}), site);
    if ((trial.member->form != Form::blocking) != (operation->startable() != nullptr)) {
        return Mismatch{"startable()", "an answer that fits the form", "another"};
    }
    operation->fill(seed);
    if (call_twice(trial, *operation) != MPI_SUCCESS) {
        return Mismatch{"return code", "MPI_SUCCESS", "an error"};
    }
    return operation->check(seed);
}

/// What the preloaded library was asked to spoil.
struct Spoiling {
    std::string_view operation; ///< empty: nothing
    int rank = 0;

    [[nodiscard]] bool includes(const OperationMember& member) const {
        return is_known(member) && member.volume != Volume::none && (operation == "*" || operation == member.mpi_name);
    }
    /// Collectives of all ranks; the others have a test of their own.
    [[nodiscard]] static bool is_known(const OperationMember& member) {
        return (member.parameters.empty() || is_spoiled_neighbour(member)) && member.mockup_of.empty() &&
               member.name != "sendrecv_ring" && member.name != "exchange";
    }
    /// On the open grid of the default the last block comes from nobody: there is nothing to truncate.
    [[nodiscard]] static bool is_spoiled_neighbour(const OperationMember& member) {
        const char* const mode = std::getenv("ICTUS_FLIP_MODE");
        return member.collective.starts_with("neighbor_") && (mode == nullptr || std::strcmp(mode, "truncate") != 0);
    }
};

Spoiling spoiling() {
    const char* const operation = std::getenv("ICTUS_FLIP_OPERATION");
    const char* const rank = std::getenv("ICTUS_FLIP_RANK");
    return {operation == nullptr ? "" : operation,
            rank == nullptr ? 0 : static_cast<int>(std::strtol(rank, nullptr, 10))};
}

/// Whether MPI delivers data to the rank of this trial.
bool receives(const Trial& trial) {
    const CallSite& site = trial.site;
    const std::string_view name = trial.member->collective;
    if (site.count == 0) {
        return false;
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

/// Where the receive buffer held an operand, what was never written may be what it should be by chance.
bool may_coincide(const Trial& trial) {
    const char* const mode = std::getenv("ICTUS_FLIP_MODE");
    return keeps_operand(trial) && mode != nullptr && std::strcmp(mode, "flip") != 0;
}

void print_failure(const Trial& trial, const std::optional<Mismatch>& mismatch) {
    const CallSite& site = trial.site;
    std::string what = "the corruption was not seen";
    if (mismatch) {
        what = mismatch->where + ": expected " + mismatch->expected + ", found " + mismatch->found;
    }
    std::printf("FAILED %s%s, %s%s, %s, count %zu, %s, root %d, rank %d: %s\n", std::string(trial.member->name).c_str(),
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
        const bool expected = expect_corruption && spoiling().includes(*trials[i].member) &&
                              spoiling().rank == trials[i].site.rank && receives(trials[i]);
        // What a mock-up's calls spoil it may hand on to other ranks, or drop.
        const bool is_open = expect_corruption && !trials[i].member->mockup_of.empty();
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

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const bool expect_corruption = argc > 1 && std::strcmp(argv[1], "--expect-corruption") == 0;
    if (argc > 1 && !expect_corruption) {
        std::fprintf(stderr, "unknown argument '%s'; known is --expect-corruption\n", argv[1]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const auto layouts = derived_layouts();
    auto trials = all_trials(layouts);
    if (expect_corruption) { // which ranks receive nothing of blocks that differ is for another test
        std::erase_if(trials, [](const Trial& trial) { return trial.distribution != "equal"; });
    }
    const Tally tally = run_all(trials, expect_corruption);
    const auto failed = static_cast<int>(std::count(tally.failed.begin(), tally.failed.end(), 1));
    const auto n_seen = static_cast<int>(std::count(tally.seen.begin(), tally.seen.end(), 1));
    if (trials.front().site.rank == 0) {
        if (expect_corruption) {
            std::printf("%d corruptions seen:%s\n", n_seen, operations_seen(trials, tally).c_str());
        }
        std::printf("%d passed, %d failed\n", static_cast<int>(trials.size()) - failed, failed);
    }
    const bool blind = expect_corruption && n_seen == 0;
    MPI_Finalize();
    return failed == 0 && !blind ? 0 : 1;
}

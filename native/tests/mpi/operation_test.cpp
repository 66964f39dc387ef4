// Every operation on every datatype, with every operator that MPI allows, computes what its payload says. Run at any
// number of ranks:
//     mpiexec -n 3 operation_test
// Behind the preloaded libictus-flip (ICTUS_FLIP_*), which spoils what one rank receives, `--expect-corruption` turns
// the claim round: check() complains on exactly that rank, in exactly the cases in which that rank receives data.
#include "operation/operation.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace ictus;

namespace {

constexpr std::size_t counts[] = {0, 1, 3, 64, 1000};

/// One case on this rank.
struct Trial {
    const OperationMember* member;
    CallSite site;
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

/// All that are allowed; any one where nothing is reduced.
std::vector<const Operator*> operators_for(const OperationMember& member, const Datatype& datatype) {
    if (!member.reduces) {
        return {&operators().front()};
    }
    std::vector<const Operator*> allowed;
    for (const Operator& reduction : operators()) {
        if (allows(datatype, reduction)) {
            allowed.push_back(&reduction);
        }
    }
    return allowed;
}

std::vector<Trial> all_trials() {
    const auto [rank, n_ranks] = world();
    std::vector<Trial> trials;
    for (const MemberInfo* info : operation::family().members) {
        const OperationMember& member = operation::traits(info->name);
        if (!member.available) {
            continue;
        }
        for (const Datatype& datatype : datatypes()) {
            for (const Operator* reduction : operators_for(member, datatype)) {
                for (const std::size_t count : counts) {
                    for (const int root : roots(member, n_ranks)) {
                        trials.push_back({&member, {MPI_COMM_WORLD, rank, n_ranks, root, &datatype, reduction, count}});
                    }
                }
            }
        }
    }
    return trials;
}

std::unique_ptr<Operation> make(const Trial& trial) {
    return operation::registry().make(bind(operation::family(), {std::string(trial.member->name), {}}), trial.site);
}

std::optional<Mismatch> run(const Trial& trial, std::uint64_t seed) {
    const auto operation = make(trial);
    operation->fill(seed);
    if (operation->call() != MPI_SUCCESS) {
        return Mismatch{"return code", "MPI_SUCCESS", "an error"};
    }
    return operation->check(seed);
}

/// What the preloaded library was asked to spoil.
struct Spoiling {
    std::string_view operation; ///< empty: nothing
    int rank = 0;

    [[nodiscard]] bool includes(const OperationMember& member) const {
        return member.form == Form::blocking && member.volume != Volume::none && (operation == "*" || operation == member.mpi_name);
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
    const std::string_view name = trial.member->mpi_name;
    if (site.count == 0) {
        return false;
    }
    if (name == "MPI_Bcast") {
        return site.rank != site.root;
    }
    if (name == "MPI_Gather" || name == "MPI_Gatherv" || name == "MPI_Reduce") {
        return site.rank == site.root;
    }
    return name != "MPI_Exscan" || site.rank > 0;
}

void print_failure(const Trial& trial, const std::optional<Mismatch>& mismatch) {
    const CallSite& site = trial.site;
    std::string what = "the corruption was not seen";
    if (mismatch) {
        what = mismatch->where + ": expected " + mismatch->expected + ", found " + mismatch->found;
    }
    std::printf("FAILED %s, %s, %s, count %zu, root %d, rank %d: %s\n", std::string(trial.member->name).c_str(),
                std::string(site.datatype->name).c_str(), std::string(site.reduction->name).c_str(), site.count,
                site.root, site.rank, what.c_str());
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
        tally.failed[i] = mismatch.has_value() != expected ? 1 : 0;
        tally.seen[i] = mismatch.has_value() && expected ? 1 : 0;
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
    const auto trials = all_trials();
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

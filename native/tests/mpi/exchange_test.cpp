// Point-to-point and one-sided operations, neighbourhood collectives and sparse exchanges with their parameters: each
// computes what its payload says, in all sizes. Run at any number of ranks:
//     mpiexec -n 3 mpi_exchange_test
// Each case is also checked for the payload of another seed and without any call: check() must complain then wherever
// something was to arrive, else its silence would mean nothing.
#include "neighbourhood/neighbourhood.hpp"
#include "workload/operation/collective.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ictus;

namespace {

/// Operations with parameters, beside the defaults.
std::vector<std::string> specs(int n_ranks) {
    std::vector<std::string> all{"pingpong",
                                 "pingpong(half)",
                                 "pingpong(partner=0)",
                                 "sendrecv_ring",
                                 "exchange",
                                 "pingpong_ssend",
                                 "pingpong_ssend(half,0)",
                                 "pingpong_bsend",
                                 "pingpong_bsend(partner=0)",
                                 "pingpong_persistent",
                                 "pingpong_persistent(half,partner=0)",
                                 "bandwidth(1)",
                                 "bandwidth(window=5)",
                                 "bandwidth(3,pairs=1)",
                                 "bibandwidth(1)",
                                 "bibandwidth(window=5)",
                                 "pingpong_as_packed",
                                 "pingpong_as_packed(partner=0)"};
    for (const std::string name : {"put", "get", "accumulate", "get_accumulate", "fetch_and_op", "compare_and_swap"}) {
        for (const std::string epoch : {"fence", "pscw", "passive", "passive,lock=held"}) {
            all.push_back(name + "(" + epoch + ")");
        }
    }
    for (const std::string epoch : {"fence", "passive,lock=held"}) {
        all.push_back("compare_and_swap(" + epoch + ",outcome=keep)");
    }
    const std::string grid = "grid(1," + std::to_string(n_ranks) + ")";
    for (const MemberInfo* member : operation::family().members) {
        const OperationMember& traits = operation::traits(member->name);
        if (traits.name.find("neighbor_") == std::string::npos || !traits.available) {
            continue;
        }
        std::vector<std::string> topologies{"cartesian(2)", "cartesian(3,periodic=on)", "graph(degree=3,seed=2)"};
        if (traits.form == Form::blocking) {
            for (const std::string& more : {std::string("cartesian(1)"), std::string("cartesian(1,periodic=on)"), grid,
                                            std::string("graph(degree=1)"), std::string("graph(9)")}) {
                topologies.push_back(more);
            }
        }
        for (const std::string& topology : topologies) {
            all.push_back(std::string(member->name) + "(" + topology + ")");
        }
    }
    const std::string line = "lengths(" + std::to_string(n_ranks) + ")";
    for (const std::string name : {"sparse_alltoall", "sparse_allgather"}) {
        for (const std::string algorithm : {"direct", "dimensions", "logarithmic"}) {
            for (const std::string& where :
                 {std::string("balanced(1),vonneumann(3)"), std::string("balanced(2),moore(1)"),
                  std::string("balanced(3),moore(1)"), line + ",list(at(1),at(0),at(-2),at(1),at(9))"}) {
                all.push_back(name + "(" + algorithm + "," + where + ")");
            }
        }
    }
    return all;
}

struct Trial {
    Bound call;
    CallSite site;
};

/// Each with 0 and 1 bytes and an odd number of them, and with many elements.
std::vector<Trial> trials(int rank, int n_ranks) {
    struct Size {
        const char* datatype;
        const char* reduction;
        std::size_t count;
    };
    constexpr Size sizes[] = {{"byte", "bxor", 0}, {"byte", "bor", 1}, {"char", "sum", 7}, {"double", "sum", 1000}};
    std::vector<Trial> all;
    for (const std::string& spec : specs(n_ranks)) {
        const Bound call = bind(operation::family(), parse_spec(spec));
        for (const Size& size : sizes) {
            all.push_back({call,
                           {MPI_COMM_WORLD, rank, n_ranks, 0, &find_datatype(size.datatype),
                            &find_operator(size.reduction), size.count}});
        }
    }
    return all;
}

void complain(const Trial& trial, const char* what, const std::optional<Mismatch>& mismatch) {
    std::printf("FAILED %s, %s, count %zu, rank %d of %d, %s: %s\n", to_string(trial.call.spec()).c_str(),
                std::string(trial.site.datatype->name).c_str(), trial.site.count, trial.site.rank, trial.site.n_ranks,
                what,
                mismatch ? (mismatch->where + ": expected " + mismatch->expected + ", found " + mismatch->found).c_str()
                         : "nothing was noticed");
}

/// The grid of a periodic Cartesian topology; none: the trial has another.
std::vector<int> periodic_grid(const Trial& trial) {
    const std::string spec = to_string(trial.call.spec());
    if (spec.find("cartesian") == std::string::npos || spec.find("periodic=on") == std::string::npos) {
        return {};
    }
    std::vector<int> lengths(trial.call.member("topology").count("dimensions"), 0);
    MPI_Dims_create(trial.site.n_ranks, static_cast<int>(lengths.size()), lengths.data());
    return lengths;
}

/// Of which forms the library is known to mix up blocks: Open MPI 5.0 of those that are not blocking, Intel MPI 2021 of
/// all (tests/programs/swapped_blocks.c shows it without us).
bool mixes_up([[maybe_unused]] Form form) {
#if defined(OMPI_MAJOR_VERSION)
    return form != Form::blocking;
#elif defined(I_MPI_VERSION)
    return true;
#else
    return false;
#endif
}

/// Those libraries mix up the two blocks that a rank receives in a periodic dimension of one or two ranks, where both
/// are from the same neighbour. The check sees it; that it does is no failure of ours.
bool is_to_be_mixed_up(const Trial& trial) {
    const OperationMember& member = operation::traits(trial.call.info().name);
    const std::vector<int> lengths = periodic_grid(trial);
    return mixes_up(member.form) && member.name.find("neighbor_alltoall") != std::string::npos &&
           std::ranges::any_of(lengths, [](int length) { return length <= 2; }) && trial.site.count > 0;
}

/// Whether what arrived is that and nothing else: all blocks in their places but for those two.
bool is_mixed_up(const Trial& trial, const Operation& operation, std::uint64_t seed) {
    const auto& arrived = dynamic_cast<const operation::Collective&>(operation);
    const std::vector<int> lengths = periodic_grid(trial);
    Links links = cartesian_links(lengths, true, trial.site.rank);
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (lengths[i] <= 2) {
            std::swap(links.incoming[2 * i], links.incoming[2 * i + 1]);
        }
    }
    const Payload payload(trial.site.datatype->element(), std::nullopt, std::max(2, trial.site.n_ranks));
    for (std::size_t block = 0; block < links.incoming.size(); ++block) {
        const IncomingBlock& from = links.incoming[block];
        const BlockSource origin =
            BlockSource::rank(from.rank, static_cast<std::size_t>(from.block) * trial.site.count);
        if (payload.first_difference(seed, origin, arrived.content(static_cast<int>(block)))) {
            return false;
        }
    }
    return true;
}

/// What ranks saw, on any of them.
struct Seen {
    int error = 0;
    int never_called = 0;
    int wrong = 0;
    int not_mixed_up = 0; ///< wrong in another way than is_to_be_mixed_up says
    int other_payload = 0;
};

Seen on_any_rank(Seen own) {
    MPI_Allreduce(MPI_IN_PLACE, &own, sizeof own / sizeof(int), MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return own;
}

/// Whether nothing is sent to anybody, so that nothing can be missed: a single rank on an open grid has no neighbours.
bool is_lonely(const Trial& trial) {
    return trial.site.n_ranks == 1 && to_string(trial.call.spec()).find("periodic=off") != std::string::npos;
}

/// Whether the trial passed, alike on all ranks. `mixed_up` counts those of is_to_be_mixed_up.
bool passes(const Trial& trial, std::uint64_t seed, int& mixed_up) {
    const auto operation = operation::registry().make(trial.call, trial.site);
    Seen own;
    operation->fill(seed);
    own.never_called = operation->check(seed) ? 1 : 0; // collective where it is one-sided
    operation->fill(seed);
    own.error = operation->call() != MPI_SUCCESS ? 1 : 0;
    const auto wrong = operation->check(seed);
    own.wrong = wrong ? 1 : 0;
    own.not_mixed_up = is_to_be_mixed_up(trial) && !is_mixed_up(trial, *operation, seed) ? 1 : 0;
    own.other_payload = operation->check(seed + 1) ? 1 : 0;
    const Seen seen = on_any_rank(own);
    if (is_to_be_mixed_up(trial)) {
        ++mixed_up;
        const bool is_seen = seen.wrong != 0 || trial.site.count < 7; // few values may be alike
        if (!is_seen || own.not_mixed_up != 0) {
            complain(trial, "blocks that the library is known to mix up", wrong);
        }
        return is_seen && seen.not_mixed_up == 0;
    }
    if (own.wrong != 0 || own.error != 0) {
        complain(trial, own.error != 0 ? "a call that returned an error" : "a plain call", wrong);
    }
    const bool reduces =
        operation::traits(trial.call.info().name).reduces; // with one element perhaps to what was there
    const bool has_data = trial.site.count > (reduces ? 6 : 0) && !is_lonely(trial);
    if (has_data && seen.never_called == 0) {
        complain(trial, "a call that was not made", {});
    }
    const bool tells_seeds_apart = trial.site.count < 7 || seen.other_payload != 0; // few values may be alike
    if (!tells_seeds_apart) {
        complain(trial, "a payload of another seed", {});
    }
    return seen.wrong == 0 && seen.error == 0 && tells_seeds_apart && (seen.never_called != 0 || !has_data);
}

/// The operations that are validated here, one a line.
int list() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::set<std::string_view> names;
    for (const Trial& trial : trials(rank, 1)) {
        names.insert(trial.call.info().name);
    }
    for (const std::string_view name : names) {
        std::printf("%s\n", std::string(name).c_str());
    }
    MPI_Finalize();
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (argc > 1 && std::strcmp(argv[1], "--list") == 0) {
        return list();
    }
    int rank = 0;
    int n_ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    int passed = 0;
    int failed = 0;
    int mixed_up = 0;
    for (const Trial& trial : trials(rank, n_ranks)) {
        const bool right = passes(trial, static_cast<std::uint64_t>(passed + failed + 1), mixed_up);
        passed += right ? 1 : 0;
        failed += right ? 0 : 1;
    }
    if (rank == 0) {
        std::printf("%d with the blocks of a dimension mixed up by the library, and nothing else\n", mixed_up);
        std::printf("%d passed, %d failed\n", passed, failed);
    }
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}

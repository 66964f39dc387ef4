// libictus-redirect.so: collectives of an unmodified program become the mock-ups that a profile names as faster
// (redirect.md). What is rerouted has at most 1 GiB, so that it fits an int, whatever the program counts in.
#include "base/error.hpp"
#include "interposition/wrappers.hpp"
#include "mpi/agreement.hpp"
#include "redirect/redirection.hpp"

#include <limits>
#include <new>
#include <vector>

namespace ictus::redirect {
namespace {

using interposition::CallFacts;
using mockup::Arguments;
using mockup::Units;

std::unique_ptr<Redirection> redirection;

void begin() { redirection = std::make_unique<Redirection>(mpi::agreed(MPI_COMM_WORLD, read_settings)); }

void end() {
    const auto ended = std::move(redirection); // with all memory; MPI_Finalize runs the program's callbacks
    ended->finish();
}

/// A count of a call that is rerouted: only one beside what MPI asks for, of nothing or of less than is sent, does not
/// fit.
int fitting(std::int64_t count) {
    if (count > std::numeric_limits<int>::max()) {
        throw usage_error("a mock-up cannot take a count of " + std::to_string(count));
    }
    return static_cast<int>(count);
}

/// Of all blocks; negative where one is.
std::int64_t total(const std::optional<interposition::Counts>& counts, MPI_Comm comm) {
    int n_ranks = 0;
    if (comm == MPI_COMM_NULL || !counts || PMPI_Comm_size(comm, &n_ranks) != MPI_SUCCESS) {
        return -1;
    }
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    std::int64_t sum = 0;
    for (int rank = 0; rank < n_ranks; ++rank) {
        const std::int64_t count = (*counts)[rank];
        if (count < 0) {
            return -1;
        }
        sum = count > most - sum ? most : sum + count;
    }
    return sum;
}

bool is_root(const CallFacts& facts) {
    int rank = 0;
    return facts.comm != MPI_COMM_NULL && PMPI_Comm_rank(facts.comm, &rank) == MPI_SUCCESS && rank == facts.root;
}

/// What the processes of a call agree on, from the arguments that mean something on this one.
CollectiveCall agreed_call(CollectiveKind which, const CallFacts& facts) {
    CollectiveCall call{.which = which,
                        .comm = facts.comm,
                        .type = facts.send_type,
                        .count = facts.send_count,
                        .op = facts.op,
                        .root = traits_of(which).rooted ? facts.root : 0};
    const auto receive_side = [&] {
        call.type = facts.receive_type;
        call.count = facts.receive_count;
    };
    switch (which) {
    case CollectiveKind::allgather: receive_side(); break;
    case CollectiveKind::gather: // in place is the root, whose send arguments mean nothing
        if (facts.send == MPI_IN_PLACE) {
            receive_side();
        }
        break;
    case CollectiveKind::scatter: // its send arguments mean nothing but at the root, there perhaps the others
        if (!is_root(facts)) {
            receive_side();
        }
        break;
    case CollectiveKind::reduce_scatter: call.count = total(facts.receive_counts, facts.comm); break;
    default: break;
    }
    return call;
}

/// A message that each rank sends and, somewhere, receives as much of.
void arrange_message(Arguments& a, const void* send, void* receive, std::int64_t count, MPI_Datatype type) {
    a.in_place = send == MPI_IN_PLACE;
    a.result = static_cast<std::byte*>(receive);
    a.own = a.in_place ? a.result : static_cast<const std::byte*>(send);
    a.count = a.result_count = fitting(count);
    const Units& units = Units::of(type);
    a.units = units;
    a.result_units = units;
}

/// A block that each rank sends, into whole buffers of them.
void arrange_blocks(Arguments& a, const CallFacts& facts) {
    a.in_place = facts.send == MPI_IN_PLACE;
    a.result = static_cast<std::byte*>(facts.receive);
    a.result_count = fitting(facts.receive_count);
    a.result_units = Units::of(facts.receive_type);
    a.count = a.in_place ? a.result_count : fitting(facts.send_count);
    a.units = Units::of(a.in_place ? facts.receive_type : facts.send_type);
    a.own =
        a.in_place ? a.result_units.at(a.result, a.rank * a.result_count) : static_cast<const std::byte*>(facts.send);
}

/// Blocks that the root sends.
void arrange_scatter(Arguments& a, const CallFacts& facts) {
    a.in_place = a.is_root() && facts.receive == MPI_IN_PLACE;
    if (a.is_root()) {
        a.own = static_cast<const std::byte*>(facts.send);
        a.count = fitting(facts.send_count);
        a.units = Units::of(facts.send_type);
    }
    if (!a.in_place) {
        a.result = static_cast<std::byte*>(facts.receive);
        a.result_count = fitting(facts.receive_count);
        a.result_units = Units::of(facts.receive_type);
    }
}

/// The arguments of a mock-up. `counts` is for those of a reduce-scatter that are no ints.
void arrange(Arguments& a, CollectiveKind which, const CallFacts& facts, std::vector<int>& counts) {
    const auto message = [&](const void* send, void* receive, std::int64_t count) {
        arrange_message(a, send, receive, count, facts.send_type);
    };
    switch (which) {
    case CollectiveKind::bcast: message(facts.receive, facts.receive, facts.send_count); break;
    case CollectiveKind::allgather: arrange_blocks(a, facts); break;
    case CollectiveKind::gather:
        if (a.is_root()) {
            arrange_blocks(a, facts);
        } else { // what it would receive means nothing
            message(facts.send, nullptr, facts.send_count);
        }
        break;
    case CollectiveKind::scatter: arrange_scatter(a, facts); break;
    case CollectiveKind::reduce: message(facts.send, a.is_root() ? facts.receive : nullptr, facts.send_count); break;
    case CollectiveKind::reduce_scatter:
        message(facts.send, facts.receive, (*facts.receive_counts)[a.rank]);
        for (int rank = 0; facts.receive_counts->large != nullptr && rank < a.n_ranks; ++rank) {
            counts.push_back(fitting((*facts.receive_counts)[rank]));
        }
        a.counts = counts.empty() ? facts.receive_counts->plain : counts.data();
        break;
    default: message(facts.send, facts.receive, facts.send_count); break;
    }
}

/// By a mock-up or the library; returns MPI's code.
int call_of(CollectiveKind which, const CallFacts& facts, const interposition::LibraryCall& library_call) {
    const CollectiveCall call = agreed_call(which, facts);
    const auto choice = redirection->choose(call);
    if (!choice) {
        return library_call();
    }
    Arguments arguments;
    arguments.op = call.op;
    arguments.root = call.root;
    arguments.rank = choice->communicator->rank();
    arguments.n_ranks = choice->communicator->n_ranks();
    arguments.comm = call.comm;
    std::vector<int> counts;
    arrange(arguments, which, facts, counts);
    return redirection->run(*choice, arguments);
}

} // namespace
} // namespace ictus::redirect

using namespace ictus;

const interposition::Library interposition::library = {"ictus-redirect", redirect::begin, redirect::end};

int interposition::take(CallId call, const CallFacts& facts, const void*, const LibraryCall& library_call) noexcept {
    if (!redirect::redirection) {
        return library_call();
    }
    const OwnCallsScope scope; // mock-ups consist of the library's functions, and a call may be made of others
    try {
        return redirect::call_of(redirect::kind_of(call), facts, library_call);
    } catch (const std::bad_alloc&) {
        return raise(facts.comm, MPI_ERR_NO_MEM, "no memory for a mock-up");
    } catch (const std::exception& error) {
        return raise(facts.comm, MPI_ERR_OTHER, error.what());
    }
}

extern "C" {

ICTUS_COLLECTIVES_WITH_MOCKUPS(ICTUS_IN_C)
ICTUS_COLLECTIVES_WITH_MOCKUPS(ICTUS_IN_FORTRAN)
#if ICTUS_HAS_LARGE_COUNTS
ICTUS_COLLECTIVES_WITH_MOCKUPS(ICTUS_IN_LARGE_C)
#endif

} // extern "C"

// libictus-flip: one-sided calls and messages between two ranks. First the one-sided calls: What a rank gets or fetches
// is spoiled where it arrives, when the epoch or the flush completes it. What it puts or accumulates is spoiled on its
// way, for the rank that it goes to has no call: with mode flip another byte is sent, with truncate one element less,
// with skip nothing at all.
#include "shim/flip_settings.hpp"
#include "shim/spoiling.hpp"

#include <deque>

namespace {

using namespace ictus::shim;

bool is_meant(const char* name, MPI_Win window) {
    MPI_Group group = MPI_GROUP_NULL;
    int rank = 0;
    PMPI_Win_get_group(window, &group);
    PMPI_Group_rank(group, &rank);
    PMPI_Group_free(&group);
    return is_target_at(name, rank);
}

/// The operations on a window that an epoch or a flush has not yet completed.
struct PendingWindow {
    MPI_Win window;
    Spoiler got;                     ///< of MPI_Get and the calls that fetch
    std::vector<unsigned char> sent; ///< of MPI_Put and MPI_Accumulate: another message than the program's
};

std::deque<PendingWindow>& all_pending() { // whose messages stay where they are while others are added
    static std::deque<PendingWindow> all;
    return all;
}

void completed(MPI_Win window) {
    for (const PendingWindow& one : all_pending()) {
        if (one.window == window) {
            one.got.spoil();
        }
    }
    std::erase_if(all_pending(), [window](const PendingWindow& one) { return one.window == window; });
}

/// `data` is written when the window's epoch or flush completes.
void gets(const char* name, void* data, int count, MPI_Datatype type, MPI_Win window) {
    if (is_meant(name, window)) {
        all_pending().push_back({window, Spoiler(blocks(data, 1, count, type)), {}});
    }
}

/// A copy of what is sent, with its first bytes inverted as flip_settings() says; alive until the call is complete.
const void* inverted(const void* data, int count, MPI_Datatype type, MPI_Win window) {
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    PMPI_Type_get_extent(type, &lower, &extent);
    const auto* const bytes = static_cast<const unsigned char*>(data);
    all_pending().push_back({window, Spoiler(ReceivedRuns()), {bytes, bytes + extent * count}});
    unsigned char* const copy = all_pending().back().sent.data();
    Spoiler(blocks(copy, 1, count, type)).spoil();
    return copy;
}

/// `send(data, less)` makes the call, with `less` elements fewer.
template <class Send>
int spoiled_on_its_way(bool is_meant, const void* data, int count, MPI_Datatype type, MPI_Win window, Send send) {
    using Mode = FlipSettings::Mode;
    if (!is_meant || count == 0) {
        return send(data, 0);
    }
    switch (flip_settings().mode) {
    case Mode::flip: break;
    case Mode::early: return send(data, 0);
    case Mode::truncate: return send(data, 1);
    case Mode::skip: return MPI_SUCCESS;
    }
    return send(inverted(data, count, type, window), 0);
}

template <class Call>
int completing(MPI_Win window, Call call) {
    const int code = call();
    completed(window);
    return code;
}

} // namespace

extern "C" {

int MPI_Get(void* data, int count, MPI_Datatype type, int from, MPI_Aint displacement, int n_sent,
            MPI_Datatype sent_type, MPI_Win window) {
    gets("MPI_Get", data, count, type, window);
    return PMPI_Get(data, count, type, from, displacement, n_sent, sent_type, window);
}

int MPI_Put(const void* data, int count, MPI_Datatype type, int to, MPI_Aint displacement, int n_received,
            MPI_Datatype received_type, MPI_Win window) {
    return spoiled_on_its_way(is_meant("MPI_Put", window), data, count, type, window, [&](const void* sent, int less) {
        return PMPI_Put(sent, count - less, type, to, displacement, n_received - less, received_type, window);
    });
}

int MPI_Accumulate(const void* data, int count, MPI_Datatype type, int to, MPI_Aint displacement, int n_received,
                   MPI_Datatype received_type, MPI_Op op, MPI_Win window) {
    return spoiled_on_its_way(is_meant("MPI_Accumulate", window), data, count, type, window,
                              [&](const void* sent, int less) {
                                  return PMPI_Accumulate(sent, count - less, type, to, displacement, n_received - less,
                                                         received_type, op, window);
                              });
}

int MPI_Get_accumulate(const void* data, int count, MPI_Datatype type, void* result, int n_fetched,
                       MPI_Datatype fetched_type, int to, MPI_Aint displacement, int n_received,
                       MPI_Datatype received_type, MPI_Op op, MPI_Win window) {
    gets("MPI_Get_accumulate", result, n_fetched, fetched_type, window);
    return PMPI_Get_accumulate(data, count, type, result, n_fetched, fetched_type, to, displacement, n_received,
                               received_type, op, window);
}

int MPI_Fetch_and_op(const void* data, void* result, MPI_Datatype type, int to, MPI_Aint displacement, MPI_Op op,
                     MPI_Win window) {
    gets("MPI_Fetch_and_op", result, 1, type, window);
    return PMPI_Fetch_and_op(data, result, type, to, displacement, op, window);
}

int MPI_Compare_and_swap(const void* data, const void* compared, void* result, MPI_Datatype type, int to,
                         MPI_Aint displacement, MPI_Win window) {
    gets("MPI_Compare_and_swap", result, 1, type, window);
    return PMPI_Compare_and_swap(data, compared, result, type, to, displacement, window);
}

int MPI_Win_fence(int assertion, MPI_Win window) {
    return completing(window, [&] { return PMPI_Win_fence(assertion, window); });
}
int MPI_Win_complete(MPI_Win window) {
    return completing(window, [&] { return PMPI_Win_complete(window); });
}
int MPI_Win_unlock(int rank, MPI_Win window) {
    return completing(window, [&] { return PMPI_Win_unlock(rank, window); });
}
int MPI_Win_unlock_all(MPI_Win window) {
    return completing(window, [&] { return PMPI_Win_unlock_all(window); });
}
int MPI_Win_flush(int rank, MPI_Win window) {
    return completing(window, [&] { return PMPI_Win_flush(rank, window); });
}
int MPI_Win_flush_all(MPI_Win window) {
    return completing(window, [&] { return PMPI_Win_flush_all(window); });
}

} // extern "C"

// libictus-flip: messages between two ranks. What arrives at one rank is spoiled, of messages with one tag where one is
// named (ICTUS_FLIP_TAG): those by which Ictus itself synchronises clocks have another.
namespace {

/// The buffer of a message with `tag` from `from`, if it is one to spoil. Nothing arrives from MPI_PROC_NULL.
ReceivedRuns arriving(void* data, int count, MPI_Datatype type, int from) {
    return from == MPI_PROC_NULL ? ReceivedRuns() : blocks(data, 1, count, type);
}

bool is_meant(const char* name, MPI_Comm comm, int tag) {
    const auto tag_filter = flip_settings().tag;
    return (!tag_filter || *tag_filter == tag) && is_target(name, comm);
}

} // namespace

extern "C" {

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
    return spoiled(
        is_meant("MPI_Recv", comm, tag), [&] { return arriving(data, count, type, from); },
        [&] { return PMPI_Recv(data, count, type, from, tag, comm, status); });
}

int MPI_Sendrecv(const void* sent, int n_sent, MPI_Datatype sent_type, int to, int sent_tag, void* data, int count,
                 MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
    return spoiled(
        is_meant("MPI_Sendrecv", comm, tag), [&] { return arriving(data, count, type, from); },
        [&] {
            return PMPI_Sendrecv(sent, n_sent, sent_type, to, sent_tag, data, count, type, from, tag, comm, status);
        });
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
    return spoiled_later(
        is_meant("MPI_Irecv", comm, tag), [&] { return arriving(data, count, type, from); }, request, false,
        [&] { return PMPI_Irecv(data, count, type, from, tag, comm, request); });
}

int MPI_Recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
    return spoiled_later(
        is_meant("MPI_Recv_init", comm, tag), [&] { return arriving(data, count, type, from); }, request, true,
        [&] { return PMPI_Recv_init(data, count, type, from, tag, comm, request); });
}

} // extern "C"

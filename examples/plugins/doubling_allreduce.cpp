// An allreduce by recursive doubling, which keeps the order of the ranks, so that operators need not commute: ranks
// exchange what they have with a partner at distance 1, 2, 4, ... Of p ranks that are no power of two, some first give
// theirs to a neighbour. Two operations in one library: the second keeps its buffer in memory from MPI_Alloc_mem.
//
//     ictus run --plugin examples/plugins/doubling_allreduce.cpp --op allreduce,my_allreduce,my_allreduce_mem
#include <cstddef>
#include <cstring>
#include <ictus/operation.h>
#include <utility>
#include <vector>

namespace {

class Doubling {
public:
    explicit Doubling(const ictus_operation_site& site)
        : comm_(site.comm), type_(site.datatype), op_(site.op), count_(static_cast<int>(site.count)) {
        MPI_Comm_rank(comm_, &rank_);
        MPI_Comm_size(comm_, &size_);
        MPI_Aint lower_bound = 0;
        MPI_Aint extent = 0;
        MPI_Type_get_extent(type_, &lower_bound, &extent);
        memory_.resize(static_cast<std::size_t>(extent) * static_cast<std::size_t>(count_) + 1);
        while (2 * whole_ <= size_) {
            whole_ *= 2;
        }
    }

    int call(const void* send, void* receive) {
        if (send != MPI_IN_PLACE) {
            if (const int code = copy(send, receive); code != MPI_SUCCESS) {
                return code;
            }
        }
        const int extra = size_ - whole_;
        if (rank_ < 2 * extra && rank_ % 2 == 0) { // rank 0, 2, ... rests, and gets the result at the end
            MPI_Send(receive, count_, type_, rank_ + 1, 0, comm_);
            return MPI_Recv(receive, count_, type_, rank_ + 1, 0, comm_, MPI_STATUS_IGNORE);
        }
        if (rank_ < 2 * extra) {
            MPI_Recv(memory_.data(), count_, type_, rank_ - 1, 0, comm_, MPI_STATUS_IGNORE);
            MPI_Reduce_local(memory_.data(), receive, count_, type_, op_);
        }
        const int own = rank_ < 2 * extra ? rank_ / 2 : rank_ - extra;
        for (int distance = 1; distance < whole_; distance *= 2) {
            const int other = own ^ distance;
            const int partner = other < extra ? 2 * other + 1 : other + extra;
            MPI_Sendrecv(receive, count_, type_, partner, 0, memory_.data(), count_, type_, partner, 0, comm_,
                         MPI_STATUS_IGNORE);
            if (other < own) {
                MPI_Reduce_local(memory_.data(), receive, count_, type_, op_);
            } else {
                MPI_Reduce_local(receive, memory_.data(), count_, type_, op_);
                copy(memory_.data(), receive);
            }
        }
        return rank_ < 2 * extra ? MPI_Send(receive, count_, type_, rank_ - 1, 0, comm_) : MPI_SUCCESS;
    }

private:
    int copy(const void* from, void* to) {
        return MPI_Sendrecv(from, count_, type_, 0, 0, to, count_, type_, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }

    MPI_Comm comm_;
    MPI_Datatype type_;
    MPI_Op op_;
    int count_;
    int rank_ = 0;
    int size_ = 1;
    int whole_ = 1; ///< the largest power of two that is at most the number of ranks
    std::vector<std::byte> memory_;
};

int create(const ictus_operation_site* site, void** state) {
    *state = new Doubling(*site);
    return MPI_SUCCESS;
}
int call(void* state, const void* send, void* receive) { return static_cast<Doubling*>(state)->call(send, receive); }
int destroy(void* state) {
    delete static_cast<Doubling*>(state);
    return MPI_SUCCESS;
}

void* allocate(std::size_t n_bytes) {
    void* memory = nullptr;
    MPI_Alloc_mem(static_cast<MPI_Aint>(n_bytes), MPI_INFO_NULL, &memory);
    return memory;
}
void release(void* memory, std::size_t) { MPI_Free_mem(memory); }
int copy_bytes(void* to, const void* from, std::size_t n_bytes) {
    std::memcpy(to, from, n_bytes);
    return MPI_SUCCESS;
}

constexpr ictus_operation operations[] = {
    {"my_allreduce", "recursive doubling, in the order of ranks", "allreduce", nullptr, create, call, destroy, nullptr,
     nullptr, nullptr, nullptr, 1},
    {"my_allreduce_mem", "the same with buffers from MPI_Alloc_mem", "allreduce", nullptr, create, call, destroy,
     allocate, release, copy_bytes, copy_bytes, 1},
    {},
};

} // namespace

extern "C" const ictus_operation* ictus_operations(int version) {
    return version == ICTUS_OPERATION_VERSION ? operations : nullptr;
}

// GL6: each rank puts its block into a vector of zeros, and the bitwise or of all vectors is what each gathers. By
// bytes, so that it holds for every datatype.
#include "mockup/algorithm.hpp"

#include <cstring>

namespace ictus::mockup {
namespace {

struct AllgatherAsAllreduce {
    static std::size_t block_bytes(const Arguments& a) {
        return static_cast<std::size_t>(a.result_count) * a.result_units.size_bytes;
    }
    static std::size_t n_bytes(const Arguments& a) { return block_bytes(a) * static_cast<std::size_t>(a.n_ranks); }

    static ScratchDemand needs(const Arguments& a) {
        const std::size_t result = a.result_units.is_plain ? 0 : n_bytes(a);
        return {.first = {static_cast<std::int64_t>(result), Units::bytes()}, .zeroed_bytes = n_bytes(a)};
    }

    static int call(const Arguments& a, const Scratch& scratch) {
        std::byte* const own = scratch.zeroed + block_bytes(a) * static_cast<std::size_t>(a.rank);
        std::byte* const result = a.result_units.is_plain ? a.result : scratch.first;
        int code = pack(own, a.source(), a.comm);
        if (code == MPI_SUCCESS) {
            code = MPI_Allreduce(scratch.zeroed, result, static_cast<int>(n_bytes(a)), MPI_BYTE, MPI_BOR, a.comm);
        }
        std::memset(own, 0, block_bytes(a));
        return code == MPI_SUCCESS && result != a.result
                   ? unpack({a.result, a.result_count * a.n_ranks, a.result_units}, result, a.comm)
                   : code;
    }
};

} // namespace

extern constinit const Algorithm allgather_as_allreduce = {
    .name = "allgather_as_allreduce",
    .summary = "bitwise or of vectors with each rank's own block",
    .stands_for = "allgather",
    .guideline = "GL6",
    .needs = AllgatherAsAllreduce::needs,
    .call = AllgatherAsAllreduce::call,
    .moves_bytes = true,
};

} // namespace ictus::mockup

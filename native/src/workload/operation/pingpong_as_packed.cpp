// MPI_Pack into contiguous memory, a message of bytes, and MPI_Unpack: the right side of guideline vector-pack, which
// judges a library's handling of derived datatypes. The memory is allocated outside the timed window.
#include "base/error.hpp"
#include "workload/operation/pingpong.hpp"

namespace ictus::operation {
namespace {

class PackedMessages {
public:
    explicit PackedMessages(const TypedMessage& message)
        : message_(message), size_bytes_(packed_size(message)), packed_(static_cast<std::size_t>(size_bytes_)),
          arrived_(static_cast<std::size_t>(size_bytes_)) {}

    int send(const std::byte* from, int to) {
        int n_bytes = 0;
        const int code = pack(from, n_bytes);
        return code != MPI_SUCCESS ? code
                                   : MPI_Send(packed_.data(), n_bytes, MPI_PACKED, to, pingpong_tag, message_.comm);
    }
    int receive(std::byte* into, int from) {
        const int code =
            MPI_Recv(arrived_.data(), size_bytes_, MPI_PACKED, from, pingpong_tag, message_.comm, MPI_STATUS_IGNORE);
        return code != MPI_SUCCESS ? code : unpack(into);
    }
    int pass(const std::byte* from, std::byte* into) {
        int n_bytes = 0;
        int code = pack(from, n_bytes);
        code = code != MPI_SUCCESS
                   ? code
                   : MPI_Sendrecv(packed_.data(), n_bytes, MPI_PACKED, 0, pingpong_tag, arrived_.data(), size_bytes_,
                                  MPI_PACKED, 0, pingpong_tag, message_.comm, MPI_STATUS_IGNORE);
        return code != MPI_SUCCESS ? code : unpack(into);
    }

private:
    static int packed_size(const TypedMessage& message) {
        int n_bytes = 0;
        mpi::check(MPI_Pack_size(message.count, message.type, message.comm, &n_bytes), "MPI_Pack_size");
        if (n_bytes < 0) { // the size does not fit an int
            throw usage_error("operation 'pingpong_as_packed': " + std::to_string(message.count) +
                              " units packed are more bytes than an int counts; choose a smaller size");
        }
        return n_bytes;
    }

    int pack(const std::byte* from, int& n_bytes) {
        return MPI_Pack(from, message_.count, message_.type, packed_.data(), size_bytes_, &n_bytes, message_.comm);
    }
    int unpack(std::byte* into) {
        int at = 0;
        return MPI_Unpack(arrived_.data(), size_bytes_, &at, into, message_.count, message_.type, message_.comm);
    }

    TypedMessage message_;
    int size_bytes_;
    GuardedBuffer packed_;
    GuardedBuffer arrived_;
};

} // namespace

extern constinit const OperationMember pingpong_as_packed = [] {
    OperationMember member =
        composed<PingPong<PackedMessages>>("pingpong_as_packed", "MPI_Pack",
                                           {
                                               .summary = "packed, sent as contiguous bytes, and unpacked",
                                               .volume = Volume::message,
                                               .parameters = pingpong_parameters,
                                           });
    member.mockup_of = "pingpong";
    member.guideline = "vector-pack";
    return member;
}();

} // namespace ictus::operation

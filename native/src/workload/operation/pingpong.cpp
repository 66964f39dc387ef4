// MPI_Send and MPI_Recv from rank 0 to a partner, and back; alone, MPI_Sendrecv. MPI_Ssend and MPI_Bsend in the place
// of MPI_Send: with the first the sender waits until the message is received, with the second MPI copies it first into
// memory that is attached before the first call.
#include "workload/operation/pingpong.hpp"

#include "base/error.hpp"

#include <climits>
#include <vector>

namespace ictus::operation {
namespace {

class DirectMessages {
public:
    explicit DirectMessages(const TypedMessage& message) : message_(message) {}

    int send(const std::byte* from, int to) const {
        return MPI_Send(from, message_.count, message_.type, to, pingpong_tag, message_.comm);
    }
    int receive(std::byte* into, int from) const {
        return MPI_Recv(into, message_.count, message_.type, from, pingpong_tag, message_.comm, MPI_STATUS_IGNORE);
    }
    int pass(const std::byte* from, std::byte* into) const {
        return MPI_Sendrecv(from, message_.count, message_.type, 0, pingpong_tag, into, message_.count, message_.type,
                            0, pingpong_tag, message_.comm, MPI_STATUS_IGNORE);
    }

protected:
    TypedMessage message_;
};

class SynchronousMessages : public DirectMessages {
public:
    using DirectMessages::DirectMessages;

    int send(const std::byte* from, int to) const {
        return MPI_Ssend(from, message_.count, message_.type, to, pingpong_tag, message_.comm);
    }
    int pass(const std::byte* from, std::byte* into) const {
        MPI_Request request = MPI_REQUEST_NULL;
        const int code = MPI_Irecv(into, message_.count, message_.type, 0, pingpong_tag, message_.comm, &request);
        const int sent = code != MPI_SUCCESS ? code : send(from, 0);
        return sent != MPI_SUCCESS ? sent : MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
};

class BufferedMessages : public DirectMessages {
public:
    explicit BufferedMessages(const TypedMessage& message) : DirectMessages(message), memory_(room(message)) {
        if (is_attached) {
            throw usage_error("MPI_Bsend: MPI allows one attached buffer per process; name pingpong_bsend only once in "
                              "a sequence, or use repeated(pingpong_bsend,2)");
        }
        is_attached = true;
        mpi::check(MPI_Buffer_attach(memory_.data(), static_cast<int>(memory_.size())), "MPI_Buffer_attach");
    }
    ~BufferedMessages() {
        is_attached = false;
        int finalised = 0;
        MPI_Finalized(&finalised);
        if (finalised == 0) {
            void* memory = nullptr;
            int size = 0;
            MPI_Buffer_detach(&memory, &size);
        }
    }
    BufferedMessages(const BufferedMessages&) = delete;
    BufferedMessages& operator=(const BufferedMessages&) = delete;

    int send(const std::byte* from, int to) const {
        return MPI_Bsend(from, message_.count, message_.type, to, pingpong_tag, message_.comm);
    }
    int pass(const std::byte* from, std::byte* into) const {
        const int code = send(from, 0);
        return code != MPI_SUCCESS ? code : receive(into, 0);
    }

private:
    /// For two messages: MPI may still hold the last one, which has arrived, when the next one is sent.
    static std::size_t room(const TypedMessage& message) {
        constexpr MPI_Count most = INT_MAX / 4; // MPI_Pack_size has an int, and may need more than the data
        MPI_Count unit = 0;
        mpi::check(MPI_Type_size_x(message.type, &unit), "MPI_Type_size_x");
        if (unit * message.count > most) {
            throw usage_error("MPI_Bsend: a message of " + std::to_string(unit * message.count) +
                              " bytes does not fit the " + std::to_string(most) +
                              " bytes of the attached buffer; choose a smaller size");
        }
        int packed = 0;
        mpi::check(MPI_Pack_size(message.count, message.type, message.comm, &packed), "MPI_Pack_size");
        return 2 * (static_cast<std::size_t>(packed) + MPI_BSEND_OVERHEAD);
    }

    static inline bool is_attached = false; ///< in this process
    std::vector<std::byte> memory_;
};

} // namespace

int partner_of(const Bound& bound, int n_ranks) {
    if (bound.is_auto("partner")) {
        return n_ranks - 1;
    }
    const std::uint64_t partner = bound.count("partner");
    if (partner >= static_cast<std::uint64_t>(n_ranks)) {
        throw usage_error("operation '" + std::string(bound.info().name) + "', parameter 'partner': " +
                          std::to_string(partner) + " is not one of the ranks 0 to " + std::to_string(n_ranks - 1));
    }
    return static_cast<int>(partner);
}

Blocks pingpong_blocks(const Bound& bound, const CallSite& site) {
    const bool plays = site.rank == 0 || site.rank == partner_of(bound, site.n_ranks);
    return plays ? Blocks{.sent = one_block(site), .received = one_block(site)} : Blocks{};
}

namespace {

template <class Way>
constexpr OperationMember pingpong_by(std::string_view name, std::string_view mpi_name, std::string_view summary) {
    return composed<PingPong<Way>>(name, mpi_name,
                                   {.summary = summary, .volume = Volume::message, .parameters = pingpong_parameters});
}

} // namespace

extern constinit const OperationMember pingpong = pingpong_by<DirectMessages>(
    "pingpong", "MPI_Send", "a message from rank 0 to another and one back; all others are idle");
extern constinit const OperationMember pingpong_ssend = pingpong_by<SynchronousMessages>(
    "pingpong_ssend", "MPI_Ssend", "the same by MPI_Ssend, which waits until the message is received");
extern constinit const OperationMember pingpong_bsend = pingpong_by<BufferedMessages>(
    "pingpong_bsend", "MPI_Bsend", "the same by MPI_Bsend, which first copies the message into an attached buffer");

} // namespace ictus::operation

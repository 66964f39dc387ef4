// The ping-pong by persistent requests: MPI_Send_init and MPI_Recv_init make them with the operation, and each message
// is an MPI_Start and an MPI_Wait on both sides, in the order of MPI_Send and MPI_Recv.
#include "base/error.hpp"
#include "workload/operation/pingpong.hpp"

#include <array>

namespace ictus::operation {
namespace {

class PersistentMessages {
public:
    PersistentMessages(const TypedMessage& message, const PingPongEnds& ends) {
        mpi::check(MPI_Recv_init(ends.received, message.count, message.type, ends.partner, pingpong_tag, message.comm,
                                 receive_.handle()),
                   "MPI_Recv_init");
        mpi::check(MPI_Send_init(ends.sent, message.count, message.type, ends.partner, pingpong_tag, message.comm,
                                 send_.handle()),
                   "MPI_Send_init");
    }

    int send(const std::byte* /*from*/, int /*to*/) { return complete(*send_.handle()); }
    int receive(std::byte* /*into*/, int /*from*/) { return complete(*receive_.handle()); }
    int pass(const std::byte* /*from*/, std::byte* /*into*/) {
        const int code = MPI_Start(receive_.handle());
        const int sent = code != MPI_SUCCESS ? code : complete(*send_.handle());
        return sent != MPI_SUCCESS ? sent : MPI_Wait(receive_.handle(), MPI_STATUS_IGNORE);
    }

private:
    static int complete(MPI_Request& request) {
        const int code = MPI_Start(&request);
        return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
    }

    mpi::PersistentRequest receive_;
    mpi::PersistentRequest send_;
};

} // namespace

extern constinit const OperationMember pingpong_persistent = [] {
    OperationMember member = composed<PingPong<PersistentMessages>>(
        "pingpong_persistent", "MPI_Send_init",
        {
            .summary = "the same by persistent requests: MPI_Send_init, MPI_Recv_init, MPI_Start",
            .volume = Volume::message,
            .parameters = pingpong_parameters,
        });
    member.binds_buffers = true;
    return member;
}();

} // namespace ictus::operation

// MPI_Bcast: every rank ends with the message of the root. One buffer: the root's is sent, all others' are received.
#include "operation/collective.hpp"

namespace ictus::operation {
namespace {

class Bcast final : public Collective {
public:
    Bcast(const OperationMember& member, const CallSite& site)
        : Collective(member, site, site.rank == site.root ? Blocks{.sent = 1} : Blocks{.received = 1}),
          buffer_(site.rank == site.root ? send() : receive()) {}

    int call() override { return MPI_Bcast(buffer_, count(), type(), root(), comm()); }

private:
    [[nodiscard]] Origin origin(int) const override { return Origin::rank(root()); }

    std::byte* buffer_;
};

} // namespace

extern constinit const OperationMember bcast{
    {{"bcast", "the message of the root to every rank", "", {}}, make<Bcast>},
    "MPI_Bcast",
    Volume::message,
    /*rooted=*/true,
    /*reduces=*/false,
};

} // namespace ictus::operation

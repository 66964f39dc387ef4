// Every rank exchanges a block with the rank before and the rank after it on a ring: two MPI_Isend, two MPI_Irecv and
// MPI_Waitall. n is the volume of both blocks. With two ranks each is on both sides of the other, and a single rank is
// on both sides of itself: tags distinguish the directions.
#include "workload/operation/collective.hpp"
#include "workload/operation/form.hpp"

namespace ictus::operation {
namespace {

constexpr int backward_tag = 3; // block 0: goes to the rank before, and arrives from the rank after
constexpr int forward_tag = 4;  // block 1

int two_blocks(const Bound&, int) { return 2; }

class HaloExchange final : public Collective {
public:
    HaloExchange(const OperationMember& member, const CallSite& site)
        : Collective(member, site,
                     {.sent = Partition::equal(2, site.count), .received = Partition::equal(2, site.count)}),
          next_((site.rank + 1) % site.n_ranks), before_((site.rank + site.n_ranks - 1) % site.n_ranks),
          block_bytes_(site.count * unit_bytes(site)) {}

    BoundCall bind() override { return BoundCall::run(*this); }
    int run() {
        MPI_Request requests[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        const int codes[] = {
            MPI_Irecv(receive(), count<int>(), type(), before_, forward_tag, comm(), &requests[0]),
            MPI_Irecv(receive() + block_bytes_, count<int>(), type(), next_, backward_tag, comm(), &requests[1]),
            MPI_Isend(send(), count<int>(), type(), before_, backward_tag, comm(), &requests[2]),
            MPI_Isend(send() + block_bytes_, count<int>(), type(), next_, forward_tag, comm(), &requests[3]),
        };
        int worst = MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        for (const int code : codes) {
            worst = code != MPI_SUCCESS ? code : worst;
        }
        return worst;
    }

private:
    [[nodiscard]] BlockSource block_source(int block) const override {
        return block == 0 ? BlockSource::rank(before_, count<std::size_t>()) : BlockSource::rank(next_);
    }

    int next_;
    int before_;
    std::size_t block_bytes_;
};

} // namespace

extern constinit const OperationMember exchange =
    composed<HaloExchange>("exchange", "MPI_Isend",
                           {
                               .summary = "a block of its own from every rank to both neighbours on the ring",
                               .volume = Volume::blocks,
                               .n_blocks = two_blocks,
                           });

} // namespace ictus::operation

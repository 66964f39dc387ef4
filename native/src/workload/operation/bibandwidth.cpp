// A window of messages in both directions at once between ranks r and r + p/2: an MPI_Irecv and an MPI_Isend for each
// message, then MPI_Waitall. n is the volume of the whole window, one block per message (other suites give the size of
// one message: `--size-is block`); n over the time is the bandwidth of one direction. With an odd number of ranks the
// last one is idle; a single rank is its own partner.
#include "workload/operation/collective.hpp"
#include "workload/operation/form.hpp"
#include "workload/operation/message_window.hpp"

#include <vector>

namespace ictus::operation {
namespace {

constexpr int bibandwidth_tag = 5;

constexpr Parameter bibandwidth_parameters[] = {window_parameter};

/// The rank itself where it is idle or alone.
int pair_of(const CallSite& site) {
    const int half = site.n_ranks / 2;
    if (site.rank < half) {
        return site.rank + half;
    }
    return site.rank < 2 * half ? site.rank - half : site.rank;
}

Blocks window_of(const Bound& bound, const CallSite& site) {
    const bool idle = pair_of(site) == site.rank && site.n_ranks > 1;
    const Partition window = idle ? Partition() : Partition::equal(window_blocks(bound, site.n_ranks), site.count);
    return {.sent = window, .received = window};
}

class BiBandwidth final : public Collective {
public:
    BiBandwidth(const OperationMember& member, const Bound& bound, const CallSite& site)
        : Collective(member, site, window_of(bound, site)), partner_(pair_of(site)), window_(sent().n_blocks()),
          block_bytes_(site.count * unit_bytes(site)),
          requests_(2 * static_cast<std::size_t>(window_), MPI_REQUEST_NULL) {}

    BoundCall bind() override { return BoundCall::run(*this); }
    int run() {
        int worst = MPI_SUCCESS;
        MPI_Request* request = requests_.data();
        for (int i = 0; i < window_; ++i) {
            const int code = MPI_Irecv(receive() + static_cast<std::size_t>(i) * block_bytes_, count<int>(), type(),
                                       partner_, bibandwidth_tag, comm(), request++);
            worst = code != MPI_SUCCESS ? code : worst;
        }
        for (int i = 0; i < window_; ++i) {
            const int code = MPI_Isend(send() + static_cast<std::size_t>(i) * block_bytes_, count<int>(), type(),
                                       partner_, bibandwidth_tag, comm(), request++);
            worst = code != MPI_SUCCESS ? code : worst;
        }
        const int code = MPI_Waitall(2 * window_, requests_.data(), MPI_STATUSES_IGNORE);
        return code != MPI_SUCCESS ? code : worst;
    }

private:
    [[nodiscard]] BlockSource block_source(int block) const override {
        return BlockSource::rank(partner_, received().first(block));
    }

    int partner_;
    int window_;
    std::size_t block_bytes_;
    std::vector<MPI_Request> requests_; // kept, so that a call allocates nothing
};

} // namespace

extern constinit const OperationMember bibandwidth =
    composed<BiBandwidth>("bibandwidth", "MPI_Isend",
                          {
                              .summary = "a window of messages in both directions at once between pairs of ranks",
                              .volume = Volume::blocks,
                              .parameters = bibandwidth_parameters,
                              .n_blocks = window_blocks,
                          });

} // namespace ictus::operation

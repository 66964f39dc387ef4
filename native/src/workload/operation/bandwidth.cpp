// A window of messages in one direction from rank r to r + p/2: an MPI_Isend or an MPI_Irecv for each message, then
// MPI_Waitall, and an empty message back when all have arrived. n is the volume of the whole window, one block per
// message; n over the time is the bandwidth of a pair, window * pairs over the time the message rate of all pairs.
// Ranks without a pair are idle; a single rank is its own partner.
#include "base/error.hpp"
#include "workload/operation/collective.hpp"
#include "workload/operation/form.hpp"
#include "workload/operation/message_window.hpp"

namespace ictus::operation {
namespace {

constexpr int bandwidth_tag = 6;

constexpr Parameter bandwidth_parameters[] = {
    window_parameter,
    {.name = "pairs",
     .type = Parameter::Type::count,
     .default_value = "auto",
     .help = "pairs of ranks that exchange messages at the same time; auto: as many as there are",
     .minimum = 1,
     .allows_auto = true},
};

/// What a rank does; a rank alone does both.
struct Part {
    bool sends;
    bool receives;
    int partner;
};

Part part_of(const Bound& bound, const CallSite& site) {
    const int half = site.n_ranks / 2;
    if (half == 0) {
        return {true, true, site.rank};
    }
    const std::uint64_t asked = bound.is_auto("pairs") ? static_cast<std::uint64_t>(half) : bound.count("pairs");
    if (asked > static_cast<std::uint64_t>(half)) {
        throw usage_error("operation 'bandwidth', parameter 'pairs': " + std::to_string(asked) + " are more than the " +
                          std::to_string(half) + " pairs of " + std::to_string(site.n_ranks) +
                          " ranks; name fewer, or launch more ranks");
    }
    const int pairs = static_cast<int>(asked);
    return {site.rank < pairs, site.rank >= half && site.rank < half + pairs,
            site.rank < half ? site.rank + half : site.rank - half};
}

Blocks blocks_of(const Bound& bound, const CallSite& site) {
    const Part part = part_of(bound, site);
    const Partition window = Partition::equal(window_blocks(bound, site.n_ranks), site.count);
    return {.sent = part.sends ? window : Partition(), .received = part.receives ? window : Partition()};
}

class Bandwidth final : public Collective {
public:
    Bandwidth(const OperationMember& member, const Bound& bound, const CallSite& site)
        : Collective(member, site, blocks_of(bound, site)), part_(part_of(bound, site)),
          window_(window_blocks(bound, site.n_ranks)), block_bytes_(site.count * unit_bytes(site)),
          requests_(2 * static_cast<std::size_t>(window_), MPI_REQUEST_NULL) {}

    BoundCall bind() override { return BoundCall::run(*this); }
    int run() {
        int worst = MPI_SUCCESS;
        int under_way = 0;
        const auto note = [&worst](int code) { worst = code != MPI_SUCCESS ? code : worst; };
        for (int i = 0; part_.receives && i < window_; ++i) {
            note(MPI_Irecv(receive() + at(i), count<int>(), type(), part_.partner, bandwidth_tag, comm(),
                           &requests_[static_cast<std::size_t>(under_way++)]));
        }
        for (int i = 0; part_.sends && i < window_; ++i) {
            note(MPI_Isend(send() + at(i), count<int>(), type(), part_.partner, bandwidth_tag, comm(),
                           &requests_[static_cast<std::size_t>(under_way++)]));
        }
        note(MPI_Waitall(under_way, requests_.data(), MPI_STATUSES_IGNORE));
        if (part_.receives != part_.sends) {
            note(part_.sends ? MPI_Recv(nullptr, 0, MPI_BYTE, part_.partner, bandwidth_tag, comm(), MPI_STATUS_IGNORE)
                             : MPI_Send(nullptr, 0, MPI_BYTE, part_.partner, bandwidth_tag, comm()));
        }
        return worst;
    }

private:
    [[nodiscard]] std::size_t at(int message) const { return static_cast<std::size_t>(message) * block_bytes_; }
    [[nodiscard]] BlockSource block_source(int block) const override {
        return BlockSource::rank(part_.partner, received().first(block));
    }

    Part part_;
    int window_;
    std::size_t block_bytes_;
    std::vector<MPI_Request> requests_; // kept, so that a call allocates nothing
};

} // namespace

extern constinit const OperationMember bandwidth =
    composed<Bandwidth>("bandwidth", "MPI_Isend",
                        {
                            .summary = "a window of messages in one direction between pairs of ranks",
                            .volume = Volume::blocks,
                            .parameters = bandwidth_parameters,
                            .n_blocks = window_blocks,
                        });

} // namespace ictus::operation

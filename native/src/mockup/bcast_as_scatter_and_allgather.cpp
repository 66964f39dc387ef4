// GL10: the root scatters its message in p blocks, and all ranks gather them. In the buffers themselves where the
// message divides into blocks, else in memory with room for the padding of the last ones.
#include "mockup/mockup.hpp"

namespace ictus::operation {
namespace {

class BcastAsScatterAndAllgather final : public Mockup {
public:
    BcastAsScatterAndAllgather(const OperationMember& member, const CallSite& site)
        : Mockup(member, site,
                 site.rank == site.root ? Blocks{.sent = one_block(site)} : Blocks{.received = one_block(site)}),
          n_(site.count), block_(argument(padded_block(n_))), padded_(scratch(divides(n_) ? 0 : whole_blocks(n_))) {}

    int call() override {
        if (divides(n_)) {
            return spread(message());
        }
        if (is_root()) {
            copy(padded_.data(), message(), n_);
        }
        const int code = spread(padded_.data());
        if (!is_root()) {
            copy(message(), padded_.data(), n_);
        }
        return code;
    }

private:
    [[nodiscard]] Origin origin(int) const override { return Origin::rank(root()); }
    [[nodiscard]] std::byte* message() const { return is_root() ? send() : receive(); }

    /// The root's whole blocks to all ranks.
    int spread(std::byte* all) const {
        std::byte* const own = at(all, static_cast<std::uint64_t>(rank()) * static_cast<std::uint64_t>(block_));
        const int code = is_root() ? MPI_Scatter(all, block_, type(), MPI_IN_PLACE, block_, type(), root(), comm())
                                   : MPI_Scatter(nullptr, block_, type(), own, block_, type(), root(), comm());
        return code == MPI_SUCCESS ? MPI_Allgather(MPI_IN_PLACE, 0, type(), all, block_, type(), comm()) : code;
    }

    std::uint64_t n_;
    int block_;
    GuardedBuffer padded_;
};

} // namespace

extern constinit const OperationMember bcast_as_scatter_and_allgather = mockup<BcastAsScatterAndAllgather>({
    .name = "bcast_as_scatter_and_allgather",
    .summary = "scatter of the message in p blocks, then allgather",
    .mockup_of = "bcast",
    .guideline = "GL10",
    .volume = Volume::message,
    .rooted = true,
    .padded = true,
});

} // namespace ictus::operation

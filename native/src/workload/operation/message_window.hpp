// Several messages under way between two ranks: an MPI_Irecv and an MPI_Isend for each, as far as a rank receives and
// sends, then MPI_Waitall. Where one rank only sends, an empty message comes back when all have arrived.
#pragma once

#include "base/parameter.hpp"
#include "workload/operation/collective.hpp"

#include <vector>

namespace ictus::operation {

inline constexpr Parameter window_parameter = {.name = "window",
                                               .type = Parameter::Type::count,
                                               .default_value = "64",
                                               .help = "messages under way in each direction",
                                               .minimum = 1,
                                               .maximum = 4096};

/// As many as messages of a window, one block each.
[[nodiscard]] inline int window_blocks(const Bound& bound, int /*n_ranks*/) {
    return static_cast<int>(bound.count("window"));
}

/// What a rank does with its partner, which may be itself; one that neither sends nor receives is idle.
struct WindowPart {
    bool sends = false;
    bool receives = false;
    int partner = 0;
};

class MessageWindow : public Collective {
public:
    BoundCall bind() override { return BoundCall::run(*this); }

protected:
    MessageWindow(const OperationMember& member, const Bound& bound, const CallSite& site, const WindowPart& part)
        : Collective(member, site, blocks_of(bound, site, part)), part_(part),
          window_(window_blocks(bound, site.n_ranks)), block_bytes_(site.count * unit_bytes(site)),
          requests_(2 * static_cast<std::size_t>(window_), MPI_REQUEST_NULL) {}

private:
    static constexpr int tag = 5;

    friend BoundCall;
    int run() {
        int worst = MPI_SUCCESS;
        int under_way = 0;
        const auto note = [&worst](int code) { worst = code != MPI_SUCCESS ? code : worst; };
        for (int i = 0; part_.receives && i < window_; ++i) {
            note(MPI_Irecv(receive() + at(i), count<int>(), type(), part_.partner, tag, comm(),
                           &requests_[static_cast<std::size_t>(under_way++)]));
        }
        for (int i = 0; part_.sends && i < window_; ++i) {
            note(MPI_Isend(send() + at(i), count<int>(), type(), part_.partner, tag, comm(),
                           &requests_[static_cast<std::size_t>(under_way++)]));
        }
        note(MPI_Waitall(under_way, requests_.data(), MPI_STATUSES_IGNORE));
        if (part_.receives != part_.sends) {
            note(part_.sends ? MPI_Recv(nullptr, 0, MPI_BYTE, part_.partner, tag, comm(), MPI_STATUS_IGNORE)
                             : MPI_Send(nullptr, 0, MPI_BYTE, part_.partner, tag, comm()));
        }
        return worst;
    }

    [[nodiscard]] static Blocks blocks_of(const Bound& bound, const CallSite& site, const WindowPart& part) {
        const Partition window = Partition::equal(window_blocks(bound, site.n_ranks), site.count);
        return {.sent = part.sends ? window : Partition(), .received = part.receives ? window : Partition()};
    }
    [[nodiscard]] std::size_t at(int message) const { return static_cast<std::size_t>(message) * block_bytes_; }
    [[nodiscard]] BlockSource block_source(int block) const override {
        return BlockSource::rank(part_.partner, received().first(block));
    }

    WindowPart part_;
    int window_;
    std::size_t block_bytes_;
    std::vector<MPI_Request> requests_; // kept, so that a call allocates nothing
};

} // namespace ictus::operation

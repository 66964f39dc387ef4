// `binary-tree`: rank r waits for its children 2r + 1 and 2r + 2, notifies its parent (r - 1) / 2 and waits for its
// answer; then it notifies its children. Arrival and departure are floor(log2 p) levels each. A tree whose nodes are
// the ranks themselves (Mellor-Crummey and Scott 1991, sec. 3.5; theirs has four children on the way up). 2 (p - 1)
// messages.
#include "barrier/barrier.hpp"

#include <algorithm>

namespace ictus {
namespace {

class BinaryTreeBarrier final : public OwnBarrier<BinaryTreeBarrier> {
public:
    void wait(Transport& transport) override {
        const int rank = transport.rank();
        const int first = 2 * rank + 1;
        const int end = std::min(first + 2, transport.size());
        for (int child = first; child < end; ++child) {
            barrier::receive_token(transport, child);
        }
        if (rank != 0) {
            barrier::send_token(transport, (rank - 1) / 2);
            barrier::receive_token(transport, (rank - 1) / 2);
        }
        for (int child = first; child < end; ++child) {
            barrier::send_token(transport, child);
        }
    }
};

} // namespace

namespace barrier {
extern const BarrierMember binary_tree;
const BarrierMember binary_tree = {
    {"binary-tree",
     "up a binary tree and down again; 2 (p - 1) messages",
     "Mellor-Crummey and Scott 1991, sec. 3.5",
     {}},
    [](const Bound&) -> std::unique_ptr<Barrier> { return std::make_unique<BinaryTreeBarrier>(); }};
} // namespace barrier

} // namespace ictus

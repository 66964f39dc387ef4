// A window of messages in both directions at once between ranks r and r + p/2 (message_window.hpp). n is the volume of
// the whole window, one block per message (other suites give the size of one message: `--size-is block`); n over the
// time is the bandwidth of one direction. With an odd number of ranks the last one is idle; a single rank is its own
// partner.
#include "workload/operation/form.hpp"
#include "workload/operation/message_window.hpp"

namespace ictus::operation {
namespace {

constexpr Parameter bibandwidth_parameters[] = {window_parameter};

WindowPart part_of(const CallSite& site) {
    const int half = site.n_ranks / 2;
    const bool has_partner = half == 0 || site.rank < 2 * half;
    return {has_partner, has_partner, site.rank < half ? site.rank + half : site.rank - half};
}

class BiBandwidth final : public MessageWindow {
public:
    BiBandwidth(const OperationMember& member, const Bound& bound, const CallSite& site)
        : MessageWindow(member, bound, site, part_of(site)) {}
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

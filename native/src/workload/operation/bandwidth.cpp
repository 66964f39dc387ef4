// A window of messages in one direction from rank r to r + p/2, and an empty message back (message_window.hpp). n is
// the volume of the whole window, one block per message; n over the time is the bandwidth of a pair, window * pairs
// over the time the message rate of all pairs. Ranks without a pair are idle; a single rank is its own partner.
#include "base/error.hpp"
#include "workload/operation/form.hpp"
#include "workload/operation/message_window.hpp"

namespace ictus::operation {
namespace {

constexpr Parameter bandwidth_parameters[] = {
    window_parameter,
    {.name = "pairs",
     .type = Parameter::Type::count,
     .default_value = "auto",
     .help = "pairs of ranks that exchange messages at the same time; auto: as many as there are",
     .minimum = 1,
     .allows_auto = true},
};

/// A rank alone sends and receives.
WindowPart part_of(const Bound& bound, const CallSite& site) {
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

class Bandwidth final : public MessageWindow {
public:
    Bandwidth(const OperationMember& member, const Bound& bound, const CallSite& site)
        : MessageWindow(member, bound, site, part_of(bound, site)) {}
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

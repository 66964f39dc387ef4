// `barrier`: a barrier before each repetition. Ranks leave a barrier at different times, and the sample contains this
// difference.
#include "barrier/barrier.hpp"
#include "procsync/procsync.hpp"

namespace ictus {
namespace {

constexpr Parameter barrier_parameters[] = {
    {.name = "algorithm",
     .type = Parameter::Type::member,
     .default_value = "dissemination",
     .help = "which barrier",
     .family = &barrier::family},
};

class BarrierStart final : public ProcSync {
public:
    BarrierStart(const Bound& bound, const ProcSyncContext& context)
        : transport_(context.transport), barrier_(barrier::registry().make(bound.member("algorithm"))) {}

    SampleFlags start() override {
        barrier_->wait(transport_);
        return 0;
    }

private:
    Transport& transport_;
    std::unique_ptr<Barrier> barrier_;
};

} // namespace

namespace procsync {
extern const ProcSyncMember barrier;
const ProcSyncMember barrier = {{"barrier", "a barrier before each repetition", "", barrier_parameters},
                                [](const Bound& bound, const ProcSyncContext& context) -> std::unique_ptr<ProcSync> {
                                    return std::make_unique<BarrierStart>(bound, context);
                                }};
} // namespace procsync

} // namespace ictus

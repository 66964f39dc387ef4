// `none`: each rank starts a repetition when it gets there.
#include "procsync/procsync.hpp"

namespace ictus {
namespace {

class NoStart final : public ProcSync {
public:
    SampleFlags start() override { return 0; }
};

} // namespace

namespace procsync {
extern const ProcSyncMember none;
const ProcSyncMember none = {
    {"none", "no synchronisation between repetitions", "", {}},
    [](const Bound&, const ProcSyncContext&) -> std::unique_ptr<ProcSync> { return std::make_unique<NoStart>(); }};
} // namespace procsync

} // namespace ictus

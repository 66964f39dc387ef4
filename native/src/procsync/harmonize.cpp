// `harmonize`: MPIX_Harmonize before each repetition. Schuchart, Hunold and Bosilca 2023.
//
// It keeps a global clock of its own and synchronises that as it finds need; the stamps of samples are mapped by the
// launch's calibrations all the same.
#include "harmonize/harmonizer.hpp"
#include "harmonize/settings.hpp"
#include "procsync/procsync.hpp"

namespace ictus {
namespace {

class HarmonizedStart final : public ProcSync {
public:
    HarmonizedStart(const Bound& bound, const ProcSyncContext& context)
        : harmonizer_(context.transport, harmonize::HarmonizeSettings(bound)) {}

    void prepare(double) override { harmonizer_.prepare(); }

    SampleFlags start() override { return harmonizer_.meet() ? SampleFlags{0} : late_flag; }
    void wait_after(double seconds, GlobalClock&) override { harmonizer_.wait_after(seconds); }

private:
    Harmonizer harmonizer_;
};

} // namespace

namespace procsync {
extern const ProcSyncMember harmonize;
const ProcSyncMember harmonize = {{"harmonize",
                                   "all ranks arrive, then all continue at one instant that rank 0 announces",
                                   "Schuchart et al. 2023", ictus::harmonize::parameters},
                                  [](const Bound& bound, const ProcSyncContext& context) -> std::unique_ptr<ProcSync> {
                                      return std::make_unique<HarmonizedStart>(bound, context);
                                  }};
} // namespace procsync

} // namespace ictus

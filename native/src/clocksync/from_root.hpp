// HCA3's walk: from the root down, each rank learns its model directly against a partner that already answers with the
// root's time. No models are merged, gathered or scattered, and no barrier is needed.
#pragma once

#include "clocksync/clocksync.hpp"
#include "drift/drift.hpp"

namespace ictus::clocksync {

/// ceil(log2 p) rounds (clockmath/rounds, rounds_from_root); each edge learns by `drift` from offsets of `estimator`.
class FromRoot final : public ClockSync {
public:
    FromRoot(const Bound& drift, const Bound& estimator)
        : drift_(drift::registry().make(drift)), estimator_(offset::registry().make(estimator)) {}

    Synchronised synchronise(Transport& transport) override;

private:
    std::unique_ptr<DriftModel> drift_;
    std::unique_ptr<OffsetEstimator> estimator_;
};

} // namespace ictus::clocksync

// `arrival`: ranks arrive one by one, in a known pattern: rank r starts its share of `size` after the common instant of
// another start. A rank that is late for that instant is late here too. A window must be long enough for the delays; an
// automatic one is.
#include "base/error.hpp"
#include "procsync/procsync.hpp"
#include "workload/pattern.hpp"

namespace ictus {
namespace {

constexpr Parameter arrival_parameters[] = {
    {.name = "pattern",
     .type = Parameter::Type::member,
     .default_value = "ascending",
     .help = "which rank arrives when",
     .family = &pattern::family},
    {.name = "size",
     .type = Parameter::Type::duration,
     .default_value = "10us",
     .help = "time from the first arrival to the last possible one",
     .minimum = 0,
     .maximum = 3600},
    {.name = "start",
     .type = Parameter::Type::member,
     .default_value = "window",
     .help = "how the common instant is agreed on; one of the members that start at an instant",
     .family = &procsync::family},
};

std::unique_ptr<ProcSync> make_start(const Bound& bound, const ProcSyncContext& context) {
    const std::string_view name = bound.info().name;
    if (name == "none" || name == "barrier" || name == "arrival") {
        throw usage_error("procsync 'arrival', parameter 'start': '" + std::string(name) +
                          "' gives no common instant after which ranks could arrive; use window, window-adaptive, "
                          "round-time or harmonize");
    }
    return procsync::registry().make(bound, context);
}

class ArrivalStart final : public ProcSync {
public:
    ArrivalStart(const Bound& bound, const ProcSyncContext& context)
        : context_(context), pattern_(pattern::registry().make(bound.member("pattern"), context.transport.size())),
          size_s_(bound.real("size")), start_(make_start(bound.member("start"), context)) {}

    void prepare(double latency_s) override { start_->prepare(latency_s + size_s_); }
    void begin() override { start_->begin(); }

    SampleFlags start() override {
        const SampleFlags flags = start_->start();
        if ((flags & over_flag) == 0) {
            const double share = pattern_->share(context_.transport.rank(), context_.transport.size(), repetition_++);
            start_->wait_after(share * size_s_, context_.clock);
        }
        return flags;
    }

    SampleFlags finish(LocalTime end) override { return start_->finish(end); }
    [[nodiscard]] std::uint64_t next_batch(std::uint64_t missing) override { return start_->next_batch(missing); }
    [[nodiscard]] bool ends_cases() const override { return start_->ends_cases(); }
    void judge(std::span<SampleFlags> flags) override { start_->judge(flags); }
    [[nodiscard]] double window_s() const override { return start_->window_s(); }

private:
    ProcSyncContext context_;
    std::unique_ptr<Pattern> pattern_;
    double size_s_;
    std::unique_ptr<ProcSync> start_;
    std::uint64_t repetition_ = 0; ///< of this case
};

} // namespace

namespace procsync {
extern const ProcSyncMember arrival;
const ProcSyncMember arrival = {
    {"arrival", "ranks arrive in a pattern, each its own delay after a common instant", "", arrival_parameters},
    [](const Bound& bound, const ProcSyncContext& context) -> std::unique_ptr<ProcSync> {
        return std::make_unique<ArrivalStart>(bound, context);
    }};
} // namespace procsync

} // namespace ictus

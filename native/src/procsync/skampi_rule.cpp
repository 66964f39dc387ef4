// The rule of SKaMPI 5 (Worsch et al. 2002; algorithm 10 of Hunold and Carpen-Amarie 2015). Of a batch of n
// repetitions:
//   n/4 or more invalid            -> size = max(2 size, 1.5 * elapsed / (n + 1)): n windows and the lead, half as long
//   again more than n/2 invalid in a row -> batch = max(batch / 2, 4): a rank that fell behind catches up sooner
// The first batch has four repetitions. Valid samples of all batches are kept; family `repetition` decides when there
// are enough.
#include "procsync/window_rule.hpp"

#include <algorithm>

namespace ictus::procsync {
namespace {

constexpr std::uint64_t least_batch = 4;

std::uint64_t longest_invalid_run(std::span<const SampleFlags> flags) {
    std::uint64_t longest = 0;
    std::uint64_t run = 0;
    for (const SampleFlags one : flags) {
        run = one == 0 ? 0 : run + 1;
        longest = std::max(longest, run);
    }
    return longest;
}

class SkampiRule final : public WindowRule {
public:
    SkampiRule(double size_s, std::uint64_t batch) : size_s_(size_s), batch_(batch) {}

    [[nodiscard]] std::uint64_t next_batch(std::uint64_t missing) override {
        return std::min(missing, is_first_ ? least_batch : batch_);
    }

    bool judge(const Batch& batch) override {
        const auto n = static_cast<std::uint64_t>(batch.flags.size());
        const auto valid = static_cast<std::uint64_t>(std::count(batch.flags.begin(), batch.flags.end(), 0));
        if (4 * (n - valid) >= n) {
            size_s_ = std::max(2.0 * size_s_, 1.5 * batch.elapsed_s / static_cast<double>(n + 1));
        }
        if (!is_first_ && 2 * longest_invalid_run(batch.flags) > n) {
            batch_ = std::max(batch_ / 2, least_batch);
        }
        is_first_ = false;
        return true;
    }

    [[nodiscard]] bool flags_overruns() const override { return true; }
    [[nodiscard]] double size_s() const override { return size_s_; }

private:
    double size_s_;
    std::uint64_t batch_;
    bool is_first_ = true;
};

} // namespace

std::unique_ptr<WindowRule> skampi_rule(double size_s, std::uint64_t batch) {
    return std::make_unique<SkampiRule>(size_s, batch);
}

} // namespace ictus::procsync

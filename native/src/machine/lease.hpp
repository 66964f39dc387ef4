// The lease of a launch: a file by which ranks learn that their runner is still there.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace ictus::machine {

/// What the file says: for how long it is valid unless it changes, when a rank has to be over, and how often it was
/// renewed.
struct LeaseTerms {
    double term_s;
    double limit_s; ///< after the start of the launch; infinite for none
    long long renewals;
};

/// The terms in the text of a lease; nothing for a text that is none.
[[nodiscard]] std::optional<LeaseTerms> read_lease_terms(const std::string& text);

/// In the working folder of the ranks.
inline constexpr const char* lease_file = "lease.txt";

/// A lease that is there when a launch starts. A program that was started by hand has none, and never lapses.
class Lease {
public:
    using Clock = std::chrono::steady_clock;

    explicit Lease(std::string path, Clock::time_point now = Clock::now());

    /// Whether the file has been the same, or gone, for longer than its term. Its content is compared and not its time:
    /// the clocks of hosts differ.
    [[nodiscard]] bool lapsed(Clock::time_point now = Clock::now());

    /// Whether there was one: then Ictus started this process, in the folder of the launch.
    [[nodiscard]] bool is_there() const { return terms_.has_value(); }

    /// The time after which this process has to be over; nothing where there is no lease or no limit.
    [[nodiscard]] std::optional<double> limit_s() const;

private:
    [[nodiscard]] std::optional<LeaseTerms> read() const;

    std::string path_;
    std::optional<LeaseTerms> terms_;
    Clock::time_point changed_;
};

/// The kernel ends this process after so long, whatever it waits for: no handler, no thread, nothing that a library
/// could block. False where the kernel has no such timer.
bool end_after(double seconds);

} // namespace ictus::machine

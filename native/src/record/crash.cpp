#include "record/crash.hpp"

#include "record/file.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <span>
#include <unistd.h>
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#endif

namespace ictus::record {
namespace {

/// As wide as a time in microseconds since 1970, until the year 2286; the handler overwrites it.
constexpr double no_time_s = 1234567890.123456;
constexpr std::string_view no_time = "1234567890.123456";

struct Destination {
    std::string file;
    int rank = -1;
    std::string host = "unknown";
    CrashReports own;
    std::array<bool, fatal_signals.size()> is_handled{};
};
Destination& destination() {
    static Destination all;
    return all;
}

std::atomic<CrashWitness> first_witness = nullptr;

/// The present time over the one in the text: snprintf may not be called in a signal handler.
void fill_in_time(CrashReport& report) {
    std::timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    auto number = static_cast<std::uint64_t>(now.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(now.tv_nsec) / 1000;
    const std::span place = std::span(report.json).subspan(report.time_at, no_time.size());
    for (std::size_t i = place.size(); i-- > 0;) {
        if (no_time[i] != '.') {
            place[i] = static_cast<char>('0' + number % 10);
            number /= 10;
        }
    }
}

void write_backtrace() {
#if __has_include(<execinfo.h>)
    std::array<void*, 32> frames{};
    backtrace_symbols_fd(frames.data(), backtrace(frames.data(), static_cast<int>(frames.size())), STDERR_FILENO);
#endif
}

void handle(int number) {
    const auto known = std::ranges::find(fatal_signals, number, &FatalSignal::number);
    const auto which = static_cast<std::size_t>(known - fatal_signals.begin());
    const CrashWitness witness = first_witness.exchange(nullptr);
    CrashReport* const report = witness == nullptr ? nullptr : witness(which);
    if (report != nullptr || number != SIGTERM) {
        write_backtrace();
        write_crash_report(report != nullptr ? *report : destination().own[which]);
        // As where a rank aborts: launchers drop what they have not read.
        const std::timespec forwarding{0, 100'000'000};
        nanosleep(&forwarding, nullptr);
    }
    std::signal(number, SIG_DFL);
    raise(number);
}

void install() {
    alignas(64) static std::array<std::byte, 65536> stack; // for what has used up its own
    stack_t own{};
    own.ss_sp = stack.data();
    own.ss_size = stack.size();
    sigaltstack(&own, nullptr);
    for (std::size_t i = 0; i < fatal_signals.size(); ++i) {
        struct sigaction before{};
        sigaction(fatal_signals[i].number, nullptr, &before);
        bool& is_handled = destination().is_handled[i];
        if (!is_handled && before.sa_handler != SIG_DFL) {
            continue;
        }
        struct sigaction action{};
        action.sa_handler = handle;
        action.sa_flags = SA_ONSTACK | static_cast<int>(SA_RESETHAND) | SA_NODEFER;
        sigaction(fatal_signals[i].number, &action, nullptr); // again, where MPI has put its own there meanwhile
        is_handled = true;
    }
}

} // namespace

std::string describe(const FatalSignal& one) {
    return std::string(one.name) + (one.meaning.empty() ? "" : ", ") + std::string(one.meaning);
}

CrashReport make_crash_report(std::string_view kind, const std::string& what) {
    const Destination& to = destination();
    const std::string who = to.rank < 0 ? "a rank" : "rank " + std::to_string(to.rank);
    CrashReport report{"ictus-bench: " + who + ": " + what + "\n", error_json(to.rank, no_time_s, to.host, kind, what)};
    report.time_at = report.json.find(no_time);
    return report;
}

void write_crash_report(CrashReport& report) {
    fill_in_time(report);
    const std::string& path = destination().file;
    const int file = path.empty() ? -1 : open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file >= 0) {
        (void)!write(file, report.json.data(), report.json.size());
        close(file);
    }
    (void)!write(STDERR_FILENO, report.line.data(), report.line.size());
}

void report_crashes(const std::string& folder, int rank, const std::string& host) {
    Destination& to = destination();
    const std::string name = rank < 0 ? "process-" + std::to_string(getpid()) : std::to_string(rank);
    to.file = folder.empty() ? "" : folder + "/error." + name + ".json";
    to.rank = rank;
    to.host = host;
    for (std::size_t i = 0; i < fatal_signals.size(); ++i) {
        to.own[i] = make_crash_report("crash", "ended by " + describe(fatal_signals[i]));
    }
#if __has_include(<execinfo.h>)
    void* frame = nullptr;
    backtrace(&frame, 1); // the first call loads a library, which a handler may not
#endif
    install();
}

void stop_crash_reports() {
    first_witness = nullptr;
    for (std::size_t i = 0; i < fatal_signals.size(); ++i) {
        if (destination().is_handled[i]) {
            std::signal(fatal_signals[i].number, SIG_DFL);
        }
    }
}

void set_crash_witness(CrashWitness witness) { first_witness = witness; }

} // namespace ictus::record

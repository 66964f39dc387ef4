#include "machine/lease.hpp"

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/syscall.h>
#include <unistd.h>

namespace ictus::machine {

std::optional<LeaseTerms> read_lease_terms(const std::string& text) {
    std::istringstream words(text);
    std::string term;
    std::string limit;
    LeaseTerms terms{};
    if (!(words >> term >> limit >> terms.renewals)) {
        return std::nullopt;
    }
    char* end = nullptr; // a stream reads no "inf"
    terms.term_s = std::strtod(term.c_str(), &end);
    const bool whole = *end == '\0';
    terms.limit_s = std::strtod(limit.c_str(), &end);
    if (!whole || *end != '\0' || !(terms.term_s > 0) || !(terms.limit_s > 0)) {
        return std::nullopt;
    }
    return terms;
}

Lease::Lease(std::string path, Clock::time_point now) : path_(std::move(path)), terms_(read()), changed_(now) {}

bool Lease::lapsed(Clock::time_point now) {
    if (!terms_) {
        return false;
    }
    const std::optional<LeaseTerms> found = read();
    if (found && found->renewals != terms_->renewals) {
        terms_ = found;
        changed_ = now;
    }
    return std::chrono::duration<double>(now - changed_).count() > terms_->term_s;
}

std::optional<double> Lease::limit_s() const {
    if (!terms_ || !std::isfinite(terms_->limit_s)) {
        return std::nullopt;
    }
    return terms_->limit_s;
}

std::optional<LeaseTerms> Lease::read() const {
    std::ifstream file(path_);
    return read_lease_terms(std::string(std::istreambuf_iterator<char>(file), {}));
}

bool end_after(double seconds) {
    // By the system call: timer_create lies in librt before glibc 2.34.
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGKILL;
    int timer = 0;
    if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) != 0) {
        return false;
    }
    itimerspec when{};
    when.it_value.tv_sec = static_cast<time_t>(seconds);
    when.it_value.tv_nsec = static_cast<long>((seconds - std::floor(seconds)) * 1e9) + 1;
    return syscall(SYS_timer_settime, timer, 0, &when, nullptr) == 0;
}

} // namespace ictus::machine

// The lease of a launch: what its file says, when it lapses, and a process that the kernel ends.
#include "check.hpp"
#include "machine/lease.hpp"

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

using namespace ictus::machine;
using namespace std::chrono_literals;

namespace {

/// A file of its own, gone afterwards.
class LeaseFile {
public:
    LeaseFile() {
        std::string name = (std::filesystem::temp_directory_path() / "ictus-lease-XXXXXX").string();
        const int file = mkstemp(name.data());
        if (file < 0) {
            throw std::runtime_error("no temporary file");
        }
        close(file);
        path_ = name;
    }
    ~LeaseFile() { std::filesystem::remove(path_); }
    LeaseFile(const LeaseFile&) = delete;
    LeaseFile& operator=(const LeaseFile&) = delete;

    void say(const std::string& text) const { std::ofstream(path_) << text; }
    void remove() const { std::filesystem::remove(path_); }
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

} // namespace

TEST(terms_are_read_and_anything_else_is_no_lease) {
    const auto terms = read_lease_terms("120 630.5 7\n");
    CHECK(terms.has_value());
    CHECK(terms->term_s == 120.0);
    CHECK(terms->limit_s == 630.5);
    CHECK(terms->renewals == 7);
    CHECK(std::isinf(read_lease_terms("120 inf 1\n")->limit_s));
    for (const char* text : {"", "120", "120 630", "x 630 1", "120 630x 1", "0 630 1", "120 -1 1", "nan 630 1"}) {
        CHECK(!read_lease_terms(text).has_value());
    }
}

TEST(a_lease_lapses_only_where_it_stays_the_same_for_its_term) {
    const LeaseFile file;
    const Lease::Clock::time_point begin{};
    file.say("120 630 1\n");
    Lease lease(file.path(), begin);
    CHECK(!lease.lapsed(begin + 120s));
    file.say("120 630 2\n");
    CHECK(!lease.lapsed(begin + 121s));
    CHECK(!lease.lapsed(begin + 241s));
    CHECK(lease.lapsed(begin + 242s));
    file.say("120 630 3\n");
    CHECK(!lease.lapsed(begin + 300s));
    file.remove();
    CHECK(!lease.lapsed(begin + 420s));
    CHECK(lease.lapsed(begin + 421s));
}

TEST(a_case_longer_than_the_term_is_no_lapse_where_the_file_changed_meanwhile) {
    const LeaseFile file;
    const Lease::Clock::time_point begin{};
    file.say("120 630 1\n");
    Lease lease(file.path(), begin);
    file.say("120 630 9\n");
    CHECK(!lease.lapsed(begin + 5000s));
}

TEST(a_program_that_was_started_by_hand_has_no_lease) {
    const LeaseFile file;
    file.remove();
    const Lease::Clock::time_point begin{};
    Lease lease(file.path(), begin);
    CHECK(!lease.lapsed(begin + 10h));
    CHECK(!lease.limit_s().has_value());
}

TEST(the_kernel_ends_a_process_that_blocks_every_signal) {
    const pid_t child = fork();
    if (child == 0) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, nullptr);
        if (!end_after(0.05)) {
            _exit(3);
        }
        for (;;) {
            sleep(60);
        }
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGKILL);
}

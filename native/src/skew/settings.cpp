#include "skew/settings.hpp"

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "base/random.hpp"
#include "record/json.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ictus::skew {
namespace {

constexpr Parameter skew_variable[] = {
    skew_parameter::offset,
    skew_parameter::drift,
    skew_parameter::wander,
    skew_parameter::scope,
    skew_parameter::seed,
    {.name = "rank",
     .type = Parameter::Type::count,
     .default_value = "auto",
     .help = "for a program that no launcher starts",
     .allows_auto = true},
};
constexpr MemberInfo member = {"ICTUS_SKEW", "", "", skew_variable};

/// Where launchers write the rank. Slurm comes last: under it the launcher of another MPI is a process 0 itself.
constexpr const char* rank_variables[] = {"PMIX_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK",
                                          "SLURM_PROCID"};

Bound read_variable(const char* text) {
    const FamilyInfo family = {"variable", "", {&member}};
    Spec spec = parse_spec("ICTUS_SKEW(" + std::string(text) + ")");
    return bind(family, spec);
}

std::optional<std::uint64_t> find_rank(const Bound& bound) {
    if (!bound.is_auto("rank")) {
        return bound.count("rank");
    }
    for (const char* variable : rank_variables) {
        if (const char* const text = std::getenv(variable)) {
            return parse_count(text, std::string("variable '") + variable + "'");
        }
    }
    return {};
}

/// The same on all ranks of a host, another on another host.
std::uint64_t host_number() {
    char name[256] = {};
    gethostname(name, sizeof name - 1);
    std::uint64_t number = 0;
    for (const char* c = name; *c != '\0'; ++c) {
        number = SplitMix64::mix(number + static_cast<unsigned char>(*c) + 1);
    }
    return number;
}

} // namespace

std::optional<SkewSettings> read_settings() {
    const char* const text = std::getenv("ICTUS_SKEW");
    if (text == nullptr) {
        return {};
    }
    const Bound bound = read_variable(text);
    const std::optional<std::uint64_t> rank = find_rank(bound);
    if (!rank) {
        return {};
    }
    SkewSettings settings;
    settings.rank = *rank;
    settings.scope = bound.text("scope");
    settings.owner = settings.scope == "host" ? host_number() : *rank;
    settings.draw = draw_skew(bound, settings.owner);
    const char* const log = std::getenv("ICTUS_SKEW_LOG");
    settings.log = log == nullptr ? "" : log;
    return settings;
}

namespace {

static_assert(sizeof(std::time_t) == 8, "a system with 32-bit times has other functions");

/// Straight from the kernel: a signal handler that reads a clock may have interrupted malloc.
class MappedMemory final : public std::pmr::memory_resource {
    void* do_allocate(std::size_t bytes, std::size_t) override {
        void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return memory == MAP_FAILED ? throw std::bad_alloc() : memory;
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t) override { munmap(memory, bytes); }
    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

struct ShimState {
    decltype(&::clock_gettime) clock_gettime = nullptr;
    const SkewedTime* skewed = nullptr;
};

/// Set in the thread that sets us up: what it calls for that may read clocks too (an allocator of the program's own).
__attribute__((tls_model("initial-exec"))) thread_local bool beginning = false;

SkewedTime::Origins read_origins(const ShimState& state) {
    SkewedTime::Origins origins{};
    for (std::size_t i = 0; i < timelines.size(); ++i) {
        std::timespec now{};
        state.clock_gettime(timelines[i].clock, &now);
        origins[i] = to_ns(now);
    }
    return origins;
}

std::string truth(const SkewSettings& settings, const SkewedTime::Origins& origins) {
    char host[256] = {};
    char program[4096] = {};
    gethostname(host, sizeof host - 1);
    (void)!readlink("/proc/self/exe", program, sizeof program - 1);
    record::JsonWriter json;
    json.begin_object(record::JsonWriter::Spacing::line).member("rank", settings.rank).member("pid", getpid());
    json.member("host", host).member("program", program).member("scope", settings.scope);
    json.member("owner", settings.owner).member("offset_s", settings.draw.offset_s);
    json.member("drift", settings.draw.drift).member("wander", settings.draw.wander);
    json.member("wander_seed", settings.draw.wander_seed).key("origin_ns").begin_object();
    for (std::size_t i = 0; i < timelines.size(); ++i) {
        json.member(timelines[i].name, origins[i]);
    }
    json.end_object().end_object();
    return json.take(true);
}

/// One write for each process, at the file's end: lines of several processes do not mix.
void append(const std::string& path, const std::string& line) {
    const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    const bool written = file >= 0 && write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    if (!written) {
        throw usage_error("variable 'ICTUS_SKEW_LOG': cannot write to '" + path + "'");
    }
    close(file);
}

/// Never freed: clocks are read until the very end of a process.
const SkewedTime* begin_skew(const ShimState& state) {
    const std::optional<SkewSettings> settings = read_settings();
    if (!settings) {
        return nullptr;
    }
    static MappedMemory* const memory = new MappedMemory;
    const SkewedTime::Origins origins = read_origins(state);
    if (!settings->log.empty()) {
        append(settings->log, truth(*settings, origins));
    }
    return new SkewedTime(settings->draw.drift, settings->draw.skew(memory), origins);
}

ShimState begin() noexcept {
    beginning = true;
    ShimState state;
    state.clock_gettime = next_function(&::clock_gettime, "clock_gettime");
    try {
        state.skewed = begin_skew(state);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ictus-skew: %s\n", error.what());
        _exit(2);
    }
    beginning = false;
    return state;
}

/// Null while we are being set up.
const ShimState* state() noexcept {
    if (beginning) {
        return nullptr;
    }
    static const ShimState made = begin();
    return &made;
}

__attribute__((constructor)) void begin_early() { (void)state(); }

} // namespace

const SkewedTime* skewed_time() noexcept {
    const ShimState* const own = state();
    return own == nullptr ? nullptr : own->skewed;
}

int true_gettime(clockid_t clock, std::timespec* time) noexcept {
    const ShimState* const own = state();
    return own == nullptr ? static_cast<int>(syscall(SYS_clock_gettime, clock, time)) : own->clock_gettime(clock, time);
}

std::int64_t true_ns(clockid_t clock) noexcept {
    std::timespec now{};
    true_gettime(clock, &now);
    return to_ns(now);
}

const std::timespec* true_deadline(clockid_t clock, const std::timespec* deadline, std::timespec& room) noexcept {
    constexpr std::time_t never = 9'000'000'000; // about what fits into nanoseconds: no time that will come
    const SkewedTime* const skewed = skewed_time();
    const std::size_t timeline = timeline_of(clock);
    if (skewed == nullptr || timeline == no_timeline || deadline == nullptr || deadline->tv_nsec < 0 ||
        deadline->tv_nsec >= ns_a_second || deadline->tv_sec < 0 || deadline->tv_sec > never) {
        return deadline; // the kernel will say what is wrong with it
    }
    room = to_timespec(skewed->when_shown(timeline, to_ns(*deadline), true_ns(clock)));
    return &room;
}

clockid_t likely_clock(const std::timespec* deadline) noexcept {
    if (deadline == nullptr) {
        return CLOCK_REALTIME;
    }
    const double seconds = static_cast<double>(deadline->tv_sec);
    const double wall = 1e-9 * static_cast<double>(true_ns(CLOCK_REALTIME));
    const double since_boot = 1e-9 * static_cast<double>(true_ns(CLOCK_MONOTONIC));
    return seconds > (wall + since_boot) / 2.0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

} // namespace ictus::skew

#include "record/facts.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <unistd.h>

#ifndef ICTUS_VERSION
#define ICTUS_VERSION "unknown"
#endif
#ifndef ICTUS_CXX_FLAGS
#define ICTUS_CXX_FLAGS "unknown"
#endif
#ifndef ICTUS_BUILD_TYPE
#define ICTUS_BUILD_TYPE "unknown"
#endif
#ifndef ICTUS_SOURCE_HASH
#define ICTUS_SOURCE_HASH "unknown"
#endif

namespace ictus::record {
namespace {

constexpr std::array<std::string_view, 14> prefixes{"OMPI_",  "PRTE_", "PMIX_",  "MPIR_CVAR_", "MPICH_",
                                                    "I_MPI_", "MV2_",  "MVP_",   "UCX_",       "FI_",
                                                    "HYDRA_", "OMP_",  "ICTUS_", "MALLOC_"};
constexpr std::array<std::string_view, 3> names{"LD_PRELOAD", "LD_LIBRARY_PATH", "GLIBC_TUNABLES"};

} // namespace

bool environment_matters(std::string_view name) {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](std::string_view prefix) { return name.starts_with(prefix); }) ||
           std::find(names.begin(), names.end(), name) != names.end();
}

EnvironmentEntries select_environment(const char* const* entries) {
    EnvironmentEntries selected;
    for (; entries != nullptr && *entries != nullptr; ++entries) {
        const std::string_view entry = *entries;
        const std::size_t equals = entry.find('=');
        if (equals != std::string_view::npos && environment_matters(entry.substr(0, equals))) {
            selected.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
        }
    }
    const auto by_name = [](const auto& a, const auto& b) { return a.first < b.first; };
    const auto same_name = [](const auto& a, const auto& b) { return a.first == b.first; };
    std::stable_sort(selected.begin(), selected.end(), by_name);
    selected.erase(std::unique(selected.begin(), selected.end(), same_name), selected.end());
    return selected;
}

EnvironmentEntries read_environment() { return select_environment(environ); }

namespace {

timespec now() {
    timespec time{};
    (clock_gettime)(CLOCK_REALTIME,
                    &time); // the parentheses prevent a macro: a simulator would replace it by its own time
    return time;
}

} // namespace

std::string format_iso8601(std::int64_t unix_ms, int utc_offset_s) {
    constexpr std::int64_t ms_per_s = 1000;
    const std::int64_t ms = ((unix_ms % ms_per_s) + ms_per_s) % ms_per_s;
    const auto shifted = static_cast<time_t>((unix_ms - ms) / ms_per_s + utc_offset_s);
    tm parts{};
    gmtime_r(&shifted, &parts);
    std::array<char, 32> seconds;
    std::strftime(seconds.data(), seconds.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    const int minutes = std::abs(utc_offset_s) / 60;
    std::array<char, 96> text;
    std::snprintf(text.data(), text.size(), "%s.%03d%c%02d:%02d", seconds.data(), static_cast<int>(ms),
                  utc_offset_s < 0 ? '-' : '+', minutes / 60, minutes % 60);
    return text.data();
}

std::string now_iso8601() {
    const timespec time = now();
    tm local{};
    localtime_r(&time.tv_sec, &local);
    return format_iso8601(static_cast<std::int64_t>(time.tv_sec) * 1000 + time.tv_nsec / 1'000'000,
                          static_cast<int>(local.tm_gmtoff));
}

double unix_time_s() {
    const timespec time = now();
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

namespace {

// The build passes ICTUS_VERSION, ICTUS_CXX_FLAGS, ICTUS_BUILD_TYPE and ICTUS_SOURCE_HASH as string literals, to this
// file only: a changed hash then compiles this file anew and nothing else.

// Clang and the compilers made from it pretend to be gcc as well, so they are asked first.
std::string compiler() {
#if defined(__clang__) || defined(__INTEL_LLVM_COMPILER) || defined(__NVCOMPILER)
    return __VERSION__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown";
#endif
}

} // namespace

BuildFacts build_facts() { return {ICTUS_VERSION, compiler(), ICTUS_CXX_FLAGS, ICTUS_BUILD_TYPE, ICTUS_SOURCE_HASH}; }

} // namespace ictus::record

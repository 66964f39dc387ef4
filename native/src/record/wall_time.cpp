#include "record/wall_time.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace ictus::record {

namespace {

timespec now() {
    timespec time{};
    (clock_gettime)(CLOCK_REALTIME, &time); // in parentheses no macro: a simulator would put its own time in its place
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

} // namespace ictus::record

#include "base/quantity.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <span>

namespace ictus {
namespace {

struct Unit {
    std::string_view name;
    double factor;
};

constexpr Unit time_units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}};
constexpr Unit rate_units[] = {{"ppm", 1e-6}};
constexpr Unit count_units[] = {{"Ki", 1024.0}, {"Mi", 1048576.0}, {"Gi", 1073741824.0}};

/// The sizes of the guideline paper's tables (papers/pgmpi-performance-guidelines.txt, sec. 5).
constexpr std::uint64_t paper_sizes[] = {1,    2,    4,    8,    16,   32,   64,    100,   128,   256,   512,
                                         1024, 1500, 2048, 4096, 5000, 8192, 10000, 16384, 32768, 102400};

[[noreturn]] void fail(std::string_view what, std::string_view text, std::string_view allowed) {
    throw usage_error(std::string(what) + ": '" + std::string(text) + "' is not " + std::string(allowed));
}

double with_unit(std::string_view text, std::span<const Unit> units, std::string_view what, std::string_view allowed) {
    double value = 0.0;
    const char* const end = text.data() + text.size();
    const auto [rest, code] = std::from_chars(text.data(), end, value);
    if (code != std::errc() || !std::isfinite(value)) {
        fail(what, text, allowed);
    }
    const std::string_view suffix(rest, static_cast<std::size_t>(end - rest));
    if (suffix.empty()) {
        return value;
    }
    for (const Unit& unit : units) {
        if (suffix == unit.name) {
            return value * unit.factor;
        }
    }
    fail(what, text, allowed);
}

std::vector<std::uint64_t> range_of_sizes(std::string_view text, std::string_view what) {
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) {
        return {parse_count(text, what)};
    }
    const std::size_t star = text.find('*', dots);
    const std::uint64_t step = star == std::string_view::npos ? 2 : parse_count(text.substr(star + 1), what);
    const std::uint64_t first = parse_count(text.substr(0, dots), what);
    const std::uint64_t last =
        parse_count(text.substr(dots + 2, star == std::string_view::npos ? star : star - dots - 2), what);
    if (first == 0 || first > last || step < 2) {
        fail(what, text, "a range: it needs 1 <= first <= last and a factor of at least 2");
    }
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t size = first; size <= last; size *= step) {
        sizes.push_back(size);
        if (size > last / step) {
            break;
        }
    }
    return sizes;
}

} // namespace

double parse_duration(std::string_view text, std::string_view what) {
    return with_unit(text, time_units, what, "a time, such as 100us, 1.5ms, 2s, or a bare number of seconds");
}

double parse_rate(std::string_view text, std::string_view what) {
    return with_unit(text, rate_units, what, "a rate, such as 20ppm or 0.00002");
}

double parse_real(std::string_view text, std::string_view what) { return with_unit(text, {}, what, "a number"); }

std::uint64_t parse_count(std::string_view text, std::string_view what) {
    constexpr std::string_view allowed = "a whole number that is not negative, such as 8, 64Ki or 1Mi";
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, code] = std::from_chars(text.data(), end, value);
    if (code != std::errc()) {
        fail(what, text, allowed);
    }
    const std::string_view suffix(rest, static_cast<std::size_t>(end - rest));
    if (suffix.empty()) {
        return value;
    }
    for (const Unit& unit : count_units) {
        if (suffix != unit.name) {
            continue;
        }
        const auto factor = static_cast<std::uint64_t>(unit.factor);
        if (value > std::numeric_limits<std::uint64_t>::max() / factor) {
            fail(what, text, allowed);
        }
        return value * factor;
    }
    fail(what, text, allowed);
}

std::vector<std::uint64_t> parse_sizes(std::string_view text, std::string_view what) {
    std::vector<std::uint64_t> sizes;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        const std::string_view part = text.substr(begin, comma - begin);
        if (part == "paper") {
            sizes.insert(sizes.end(), std::begin(paper_sizes), std::end(paper_sizes));
        } else {
            const auto some = range_of_sizes(part, what);
            sizes.insert(sizes.end(), some.begin(), some.end());
        }
        begin = comma + 1;
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

std::string format_duration(double seconds) {
    if (std::isnan(seconds)) {
        return "NA";
    }
    char text[64];
    std::snprintf(text, sizeof text, "%.3g", seconds);
    const double rounded = std::strtod(text, nullptr); // first, so that 999.96 ns becomes 1.00 us and not 1000 ns
    const Unit* unit = &time_units[0];
    for (const Unit& candidate : time_units) {
        if (std::abs(rounded) >= candidate.factor * (1 - 1e-9)) {
            unit = &candidate;
        }
    }
    const double value = rounded / unit->factor;
    const int digits = std::abs(value) >= 99.99 ? 0 : std::abs(value) >= 9.999 ? 1 : 2;
    std::snprintf(text, sizeof text, "%.*f %s", digits, value, std::string(unit->name).c_str());
    return text;
}

std::string format_real(double value) {
    char text[64];
    const auto [end, code] = std::to_chars(text, text + sizeof text, value);
    return code == std::errc() ? std::string(text, end) : "unknown";
}

} // namespace ictus

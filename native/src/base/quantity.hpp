// Text to numbers with units, strictly: the whole text must be a number of that kind.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ictus {

/// Seconds from `100us`, `1.5ms`, `2s`, `50ns`, or a bare number of seconds. Errors name `what`.
[[nodiscard]] double parse_duration(std::string_view text, std::string_view what);
/// A plain ratio from `20ppm` or a bare number.
[[nodiscard]] double parse_rate(std::string_view text, std::string_view what);
[[nodiscard]] double parse_real(std::string_view text, std::string_view what);
/// A whole number, not negative; `Ki`, `Mi`, `Gi` multiply by powers of 1024.
[[nodiscard]] std::uint64_t parse_count(std::string_view text, std::string_view what);
/// `8`, `64Ki`, `8..64Ki` (powers of two, both ends included), `8..64Ki*4`, lists of these. Ascending, without repeats.
[[nodiscard]] std::vector<std::uint64_t> parse_sizes(std::string_view text, std::string_view what);

/// `12.3 us` with three significant digits; `NA` for NaN.
[[nodiscard]] std::string format_duration(double seconds);
/// The shortest text that reads back as the same number.
[[nodiscard]] std::string format_real(double value);

} // namespace ictus

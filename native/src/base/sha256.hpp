// SHA-256 (FIPS 180-4), by which a file is the one that was meant. The core has no library for it.
#pragma once

#include <string>
#include <string_view>

namespace ictus {

/// As 64 hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);

} // namespace ictus

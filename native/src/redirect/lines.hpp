// What both forms of a profile are read with: lines, words, and the mock-ups that they may name.
#pragma once

#include "mockup/algorithm.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ictus::redirect {

[[nodiscard]] std::string_view trimmed(std::string_view text);
[[nodiscard]] std::string quoted(std::string_view text);
/// The first `most` of them.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view line, std::size_t most);

/// What stands for `operation` and may take its place; every one where that is empty.
[[nodiscard]] std::vector<const mockup::Algorithm*> substitutes(std::string_view operation);
/// Each once, in the order of the alphabet, with commas.
[[nodiscard]] std::string listed(const std::vector<const mockup::Algorithm*>& algorithms,
                                 std::string_view mockup::Algorithm::* what);

} // namespace ictus::redirect

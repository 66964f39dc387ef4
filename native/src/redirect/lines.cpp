#include "redirect/lines.hpp"

#include "mockup/registry.hpp"

#include <algorithm>
#include <set>

namespace ictus::redirect {
namespace {

constexpr std::string_view blanks = " \t\r";

} // namespace

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::vector<std::string_view> words_of(std::string_view line, std::size_t most) {
    std::vector<std::string_view> words;
    while (!line.empty() && words.size() < most) {
        const std::size_t end = std::min(line.find_first_of(blanks), line.size());
        words.push_back(line.substr(0, end));
        line = trimmed(line.substr(end));
    }
    return words;
}

std::vector<const mockup::Algorithm*> substitutes(std::string_view operation) {
    std::vector<const mockup::Algorithm*> found;
    for (const mockup::Algorithm* const one : mockup::all()) {
        if (one->is_substitute && (operation.empty() || one->stands_for == operation)) {
            found.push_back(one);
        }
    }
    return found;
}

std::string listed(const std::vector<const mockup::Algorithm*>& algorithms,
                   std::string_view mockup::Algorithm::* what) {
    std::set<std::string_view> names;
    for (const mockup::Algorithm* const one : algorithms) {
        names.insert(one->*what);
    }
    std::string text;
    for (const std::string_view name : names) {
        text += (text.empty() ? "" : ", ") + std::string(name);
    }
    return text;
}

} // namespace ictus::redirect

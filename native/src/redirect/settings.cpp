#include "redirect/settings.hpp"

#include "base/error.hpp"
#include "base/quantity.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace ictus::redirect {
namespace {

constexpr std::string_view prefix = "ICTUS_REDIRECT_";
constexpr std::string_view known[] = {"ICTUS_REDIRECT_PROFILE", "ICTUS_REDIRECT_REPORT", "ICTUS_REDIRECT_LIMIT",
                                      "ICTUS_REDIRECT_RANKS"};
constexpr std::string_view default_limit = "64Mi";
constexpr std::uint64_t greatest_limit = std::uint64_t{1} << 30; // MPI counts bytes in ints
constexpr std::uint64_t greatest_ranks = std::uint64_t{1} << 30;

void refuse_unknown() {
    for (char** one = environ; one != nullptr && *one != nullptr; ++one) {
        const std::string_view entry(*one);
        const std::string_view name = entry.substr(0, entry.find('='));
        if (name.starts_with(prefix) && std::ranges::find(known, name) == std::end(known)) {
            std::string allowed;
            for (const std::string_view other : known) {
                allowed += (allowed.empty() ? "" : ", ") + std::string(other);
            }
            throw usage_error("unknown variable '" + std::string(name) + "'; there are " + allowed);
        }
    }
}

std::string_view variable(const char* name, std::string_view otherwise = "") {
    const char* const text = std::getenv(name);
    return text == nullptr || *text == '\0' ? otherwise : std::string_view(text);
}

std::uint64_t read_count(const char* name, std::string_view otherwise, std::uint64_t greatest) {
    const std::string what = std::string("variable '") + name + "'";
    const std::uint64_t count = parse_count(variable(name, otherwise), what);
    if (count > greatest) {
        throw usage_error(what + ": " + std::to_string(count) + " is above " + std::to_string(greatest));
    }
    return count;
}

} // namespace

RedirectSettings read_settings() {
    refuse_unknown();
    RedirectSettings settings;
    settings.profile = variable("ICTUS_REDIRECT_PROFILE");
    if (settings.profile.empty()) {
        throw usage_error("variable 'ICTUS_REDIRECT_PROFILE' is not set: a file that says which calls become which "
                          "mock-ups (docs/redirect.md)");
    }
    settings.report = variable("ICTUS_REDIRECT_REPORT");
    settings.limit_bytes = read_count("ICTUS_REDIRECT_LIMIT", default_limit, greatest_limit);
    settings.n_ranks = read_count("ICTUS_REDIRECT_RANKS", "0", greatest_ranks);
    return settings;
}

} // namespace ictus::redirect

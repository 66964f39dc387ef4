#include "preload/settings.hpp"

#include "base/defaults.hpp"
#include "base/error.hpp"
#include "base/quantity.hpp"
#include "clock/clock.hpp"
#include "clocksync/clocksync.hpp"
#include "procsync/procsync.hpp"

#include <cstdlib>

namespace ictus::preload {
namespace {

constexpr std::string_view default_procsync = "harmonize";
constexpr std::string_view default_log_limit = "16384"; // exits of one communicator: 144 KiB a rank
constexpr std::uint64_t least_log_limit = 16;
constexpr std::uint64_t greatest_log_limit = 1u << 24;

std::string_view variable(const char* name, std::string_view otherwise = "") {
    const char* const text = std::getenv(name);
    return text == nullptr || *text == '\0' ? otherwise : std::string_view(text);
}

Bound read_member(const char* name, const FamilyInfo& family, std::string_view otherwise) {
    try {
        return bind(family, parse_spec(variable(name, otherwise)));
    } catch (const Error& error) {
        throw usage_error(std::string("variable '") + name + "': " + error.what());
    }
}

std::uint64_t read_count(const char* name, std::string_view otherwise, std::uint64_t least, std::uint64_t greatest) {
    const std::string what = std::string("variable '") + name + "'";
    const std::uint64_t count = parse_count(variable(name, otherwise), what);
    if (count < least || count > greatest) {
        throw usage_error(what + ": " + std::to_string(count) + " is not between " + std::to_string(least) + " and " +
                          std::to_string(greatest));
    }
    return count;
}

} // namespace

Settings read_settings() {
    Settings settings;
    const Bound procsync = read_member("ICTUS_PROCSYNC", procsync::family(), default_procsync);
    settings.procsync = to_string(procsync.spec());
    settings.given = variable("ICTUS_PROCSYNC", default_procsync);
    try {
        settings.meaning = meaning_of(procsync);
    } catch (const Error& error) {
        throw usage_error(std::string("variable 'ICTUS_PROCSYNC': ") + error.what());
    }
    const std::string_view clocksync = settings.meaning.needs_global_time ? defaults::clocksync : "none";
    settings.clocksync = to_string(read_member("ICTUS_PRELOAD_CLOCKSYNC", clocksync::family(), clocksync).spec());
    settings.clock = to_string(read_member("ICTUS_PRELOAD_CLOCK", clock::family(), defaults::clock).spec());
    settings.log = variable("ICTUS_PRELOAD_LOG");
    settings.log_limit = read_count("ICTUS_PRELOAD_LOG_LIMIT", default_log_limit, least_log_limit, greatest_log_limit);
    settings.report = variable("ICTUS_PRELOAD_REPORT");
    settings.n_ranks = read_count("ICTUS_PRELOAD_RANKS", "0", 0, 1u << 30);
    return settings;
}

std::string fingerprint(const Settings& settings) {
    return "ICTUS_PROCSYNC=" + settings.procsync + " ICTUS_PRELOAD_CLOCKSYNC=" + settings.clocksync +
           " ICTUS_PRELOAD_CLOCK=" + settings.clock + " ICTUS_PRELOAD_LOG=" + settings.log +
           " ICTUS_PRELOAD_LOG_LIMIT=" + std::to_string(settings.log_limit);
}

} // namespace ictus::preload

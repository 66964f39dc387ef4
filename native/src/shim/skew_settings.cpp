#include "shim/skew_settings.hpp"

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "base/random.hpp"

#include <cstdlib>
#include <unistd.h>

namespace ictus::shim {
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

} // namespace ictus::shim

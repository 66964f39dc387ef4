#include "preload/meaning.hpp"

#include "base/error.hpp"
#include "procsync/procsync.hpp"
#include "workload/pattern/pattern.hpp"

#include <algorithm>

namespace ictus::preload {
namespace {

constexpr Meaning meanings[] = {
    {"none", false, false, false, ""},
    {"barrier", true, false, false, ""},
    {"window", false, true, true, ""},
    {"harmonize", true, true, false, ""},
    {"arrival", true, true, true, ""},
    {"window-adaptive", false, true, true,
     "it repeats a case until its windows are long enough, and here nothing is repeated"},
    {"round-time", true, true, true, "it ends a case when its time is spent, and here nothing can be ended"},
};

const Meaning& find_meaning(std::string_view procsync) {
    const auto* const found = std::find_if(std::begin(meanings), std::end(meanings),
                                           [&](const Meaning& one) { return one.procsync == procsync; });
    if (found == std::end(meanings)) {
        throw usage_error("procsync '" + std::string(procsync) + "' is not made for barriers of other programs");
    }
    return *found;
}

std::string usable_names() {
    std::string names;
    for (const MemberInfo* const member : procsync::family().members) {
        if (find_meaning(member->name).refusal.empty()) {
            names += (names.empty() ? "" : ", ") + std::string(member->name);
        }
    }
    return names;
}

void refuse_unknown_latency(const Bound& bound) {
    const auto& parameters = bound.info().parameters;
    const bool has_size = std::any_of(parameters.begin(), parameters.end(),
                                      [](const Parameter& one) { return one.name == "size" && one.allows_auto; });
    if (has_size && bound.is_auto("size")) {
        throw usage_error("procsync '" + std::string(bound.info().name) +
                          "': size=auto goes by the latency of what is measured, which a barrier of another program "
                          "does not know; give a size, such as " +
                          std::string(bound.info().name) + "(size=100us)");
    }
}

bool pattern_fits(const Bound& bound, int n_ranks) {
    try {
        (void)pattern::registry().make(bound, n_ranks);
        return true;
    } catch (const Error&) {
        return false;
    }
}

} // namespace

const Meaning& meaning_of(const Bound& procsync) {
    const Meaning& meaning = find_meaning(procsync.info().name);
    if (!meaning.refusal.empty()) {
        throw usage_error("procsync '" + std::string(meaning.procsync) + "' cannot take the place of a barrier: " +
                          std::string(meaning.refusal) + "; possible are " + usable_names());
    }
    refuse_unknown_latency(procsync);
    const Meaning* result = &meaning;
    for (const Parameter& parameter : procsync.info().parameters) {
        if (parameter.type == Parameter::Type::member && parameter.family == &procsync::family) {
            const Meaning& inner = meaning_of(procsync.member(parameter.name));
            result = inner.holds ? result : &inner; // as strong as what it starts with
        }
    }
    return *result;
}

bool fits(const Bound& procsync, int n_ranks) {
    const auto& parameters = procsync.info().parameters;
    return std::all_of(parameters.begin(), parameters.end(), [&](const Parameter& one) {
        if (one.type != Parameter::Type::member) {
            return true;
        }
        return one.family == &pattern::family    ? pattern_fits(procsync.member(one.name), n_ranks)
               : one.family == &procsync::family ? fits(procsync.member(one.name), n_ranks)
                                                 : true;
    });
}

} // namespace ictus::preload

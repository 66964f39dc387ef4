#include "record/environment.hpp"

#include <algorithm>
#include <array>

#include <unistd.h>

namespace ictus::record {

namespace {

constexpr std::array<std::string_view, 11> prefixes{"OMPI_", "PRTE_", "PMIX_",  "MPIR_CVAR_", "MPICH_", "I_MPI_",
                                                    "UCX_",  "FI_",   "HYDRA_", "OMP_",       "ICTUS_"};
constexpr std::array<std::string_view, 2> names{"LD_PRELOAD", "LD_LIBRARY_PATH"};

} // namespace

bool environment_matters(std::string_view name) {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](std::string_view prefix) { return name.starts_with(prefix); }) ||
           std::find(names.begin(), names.end(), name) != names.end();
}

EnvironmentEntries select_environment(const char* const* entries) {
    EnvironmentEntries selected;
    for (; entries != nullptr && *entries != nullptr; ++entries) {
        const std::string_view entry = *entries;
        const std::size_t equals = entry.find('=');
        if (equals != std::string_view::npos && environment_matters(entry.substr(0, equals))) {
            selected.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
        }
    }
    const auto by_name = [](const auto& a, const auto& b) { return a.first < b.first; };
    const auto same_name = [](const auto& a, const auto& b) { return a.first == b.first; };
    std::stable_sort(selected.begin(), selected.end(), by_name);
    selected.erase(std::unique(selected.begin(), selected.end(), same_name), selected.end());
    return selected;
}

EnvironmentEntries read_environment() { return select_environment(environ); }

} // namespace ictus::record

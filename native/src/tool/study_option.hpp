// The options of `ictus-bench clocks STUDY`, declared once.
#pragma once

#include "tool/option.hpp"

namespace ictus::tool {

struct StudyOptions {
    std::string_view name; ///< of the study
    std::string_view summary;
    std::span<const Option> options;
};

/// All studies, in plain sight.
[[nodiscard]] std::span<const StudyOptions> study_options();

/// Throws a usage Error that lists the known studies.
[[nodiscard]] const StudyOptions& find_study(std::string_view name);

} // namespace ictus::tool

// The options of `ictus-bench TOPIC STUDY` (clocks accuracy, barriers skew, ...), declared once.
#pragma once

#include "tool/option.hpp"

namespace ictus::tool {

struct StudyOptions {
    std::string_view topic; ///< `clocks`, ...
    std::string_view name;  ///< of the study
    std::string_view summary;
    std::span<const Option> options;
};

/// All studies, in plain sight.
[[nodiscard]] std::span<const StudyOptions> study_options();

/// Whether there are studies of it.
[[nodiscard]] bool is_topic(std::string_view topic);

/// Throws a usage Error that lists the known studies of the topic.
[[nodiscard]] const StudyOptions& find_study(std::string_view topic, std::string_view name);

} // namespace ictus::tool

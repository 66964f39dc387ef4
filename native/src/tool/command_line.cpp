#include "tool/command_line.hpp"

#include "core/error.hpp"

namespace ictus::tool {
namespace {

/// The next word of a line, cut off its front; empty at the end.
std::string_view next_word(std::string_view& line) {
    constexpr std::string_view blanks = " \t\r";
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(blanks));
    line.remove_prefix(word.size());
    return word;
}

Settings read_settings(std::span<const Option> options, std::string_view line, const std::string& where) {
    Settings settings;
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos) {
            throw usage_error(where + ": '" + std::string(word) + "' is not key=value");
        }
        settings.set(options, word.substr(0, equals), word.substr(equals + 1), where + ": key");
    }
    return settings;
}

} // namespace

Request read_command_line(std::span<const std::string_view> words) {
    Request request;
    request.cases.emplace_back();
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string_view word = words[i];
        if (word.substr(0, 2) != "--") {
            throw usage_error("unexpected argument '" + std::string(word) + "'; see --help");
        }
        word.remove_prefix(2);
        const std::size_t equals = word.find('=');
        const std::string_view name = word.substr(0, equals);
        const bool of_launch = find_option(launch_options(), name) != nullptr;
        const Option* option = of_launch ? find_option(launch_options(), name) : find_option(case_options(), name);
        if (option == nullptr) {
            throw usage_error("unknown option '--" + std::string(name) + "'; see --help for the known ones");
        }
        std::string_view value;
        if (equals != std::string_view::npos) {
            value = word.substr(equals + 1);
        } else if (i + 1 < words.size() && words[i + 1].substr(0, 2) != "--") {
            value = words[++i];
        } else if (option->declaration.type == Parameter::Type::flag) {
            value = "on";
        } else {
            throw usage_error("option '--" + std::string(name) +
                              "' needs a value: " + std::string(option->declaration.help));
        }
        Settings& settings = of_launch ? request.launch : request.cases.front();
        settings.set(of_launch ? launch_options() : case_options(), name, value, "option");
    }
    return request;
}

Request read_plan(std::string_view text, const std::string& file) {
    Request request;
    request.one_case_each = true;
    bool launch_seen = false;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::string where = file + ", line " + std::to_string(number);
        const std::string_view kind = next_word(line);
        if (kind.empty() || kind.front() == '#') {
            continue;
        }
        if (kind == "launch" && !launch_seen) {
            request.launch = read_settings(launch_options(), line, where);
            launch_seen = true;
        } else if (kind == "case" && launch_seen) {
            request.cases.push_back(read_settings(case_options(), line, where));
        } else {
            throw usage_error(where + ": '" + std::string(kind) +
                              "' is out of place: one `launch` line, then `case` lines");
        }
    }
    if (request.cases.empty()) {
        throw usage_error(file + ": no case to measure");
    }
    return request;
}

} // namespace ictus::tool

#include "tool/command_line.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <optional>

namespace ictus::tool {
namespace {

/// Removes the next word from the front of a line; empty at the end.
std::string_view next_word(std::string_view& line) {
    constexpr std::string_view blanks = " \t\r";
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(blanks));
    line.remove_prefix(word.size());
    return word;
}

OptionValues read_settings(std::span<const Option> options, std::string_view line, const std::string& where) {
    OptionValues settings(options);
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos) {
            throw usage_error(where + ": '" + std::string(word) + "' is not key=value");
        }
        settings.set(word.substr(0, equals), word.substr(equals + 1), where + ": key");
    }
    return settings;
}

/// `--name` or `--name=value`.
struct OptionWord {
    std::string_view name;
    std::optional<std::string_view> value;
};

OptionWord split(std::string_view word) {
    if (word.substr(0, 2) != "--") {
        throw usage_error("unexpected argument '" + std::string(word) + "'; see --help");
    }
    word.remove_prefix(2);
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) {
        return {word, std::nullopt};
    }
    return {word.substr(0, equals), word.substr(equals + 1)};
}

/// The value of words[i], which may be the next word: then `i` moves on to it.
std::string_view value_of(const Option& option, const OptionWord& word, std::span<const std::string_view> words,
                          std::size_t& i) {
    if (word.value) {
        return *word.value;
    }
    if (i + 1 < words.size() && words[i + 1].substr(0, 2) != "--") {
        return words[++i];
    }
    if (option.declaration.type == Parameter::Type::flag) {
        return "on";
    }
    throw usage_error("option '--" + std::string(word.name) +
                      "' needs a value: " + std::string(option.declaration.help));
}

} // namespace

LaunchRequest read_command_line(std::span<const std::string_view> words) {
    LaunchRequest request;
    request.cases.emplace_back(case_options());
    for (std::size_t i = 0; i < words.size(); ++i) {
        const OptionWord word = split(words[i]);
        const bool of_launch = find_option(launch_options(), word.name) != nullptr;
        const std::span<const Option> options = of_launch ? launch_options() : case_options();
        const Option* option = find_option(options, word.name);
        if (option == nullptr) {
            throw usage_error("unknown option '--" + std::string(word.name) + "'; see --help for the known ones");
        }
        OptionValues& settings = of_launch ? request.launch : request.cases.front();
        settings.set(word.name, value_of(*option, word, words, i), "option");
    }
    return request;
}

OptionValues read_options(std::span<const Option> options, std::span<const std::string_view> words,
                          const std::string& where) {
    OptionValues settings(options);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const OptionWord word = split(words[i]);
        const Option* option = find_option(options, word.name);
        settings.set(word.name, option != nullptr ? value_of(*option, word, words, i) : "", where);
    }
    return settings;
}

LaunchRequest read_plan(std::string_view text, const std::string& file) {
    LaunchRequest request;
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
                              "' cannot stand here: a plan is one `launch` line, then `case` lines");
        }
    }
    if (request.cases.empty()) {
        throw usage_error(file + ": no case to measure");
    }
    return request;
}

std::string help_text() {
    return "ictus-bench measures MPI collectives. Start it with the launcher of the MPI library that it was built "
           "for:\n"
           "  mpirun -n 16 ictus-bench --op bcast,allreduce --sizes 8..1Mi\n"
           "  ictus-bench --plan FILE        the cases that Ictus writes for it\n"
           "  ictus-bench clocks STUDY ...   accuracy, drift or frequency of clocks, as JSON; clocks STUDY --help\n"
           "  ictus-bench --plugin FILE ...  any of these with the operations of a library (ictus/operation.h)\n"
           "  ictus-bench describe           all families, members, parameters and options, as JSON\n"
           "  ictus-bench availability       which operations the library has, as JSON\n"
           "  ictus-bench mpi-version        what the MPI library says of itself, as JSON\n"
           "  ictus-bench cvars              the library's control variables (MPI_T), as JSON\n"
           "  ictus-bench dims --up-to P     MPI_Dims_create's factors of all numbers up to P, as JSON\n"
           "  ictus-bench cvar-choices       the values that each takes, where the library lists them, as JSON\n"
           "Options of the launch (defaults in parentheses):\n" +
           help_of(launch_options()) + "Options of the cases; lists are combined with each other:\n" +
           help_of(case_options());
}

} // namespace ictus::tool

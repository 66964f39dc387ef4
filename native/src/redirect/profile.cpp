#include "redirect/profile.hpp"

#include "base/error.hpp"
#include "mockup/algorithm.hpp"
#include "redirect/pgmpi.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

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

namespace {

constexpr std::string_view header = "ictus-redirect 1";
constexpr std::string_view library_word = "library ";
constexpr std::string_view plugin_word = "plugin ";
constexpr std::size_t n_plugin_words = 4; // before the path
constexpr std::size_t n_digest_digits = 64;
constexpr std::size_t n_words = 5; // before the evidence

class Reader {
public:
    explicit Reader(const std::string& name) : name_(name) {}

    void read(std::string_view line) {
        ++number_;
        const std::string_view content = trimmed(line);
        if (content.empty() || content.front() == '#') {
            return;
        }
        if (!has_header_) {
            require_header(content);
        } else if (content.starts_with(library_word)) {
            read_library(content);
        } else if (content.starts_with(plugin_word)) {
            read_plugin(content);
        } else {
            read_reroute(content);
        }
    }

    Profile take() {
        if (!has_header_) {
            number_ = 1;
            require_header("");
        }
        return std::move(profile_);
    }

private:
    [[nodiscard]] Error error(const std::string& what) const {
        return usage_error(name_ + ", line " + std::to_string(number_) + ": " + what);
    }

    void require_header(std::string_view content) {
        has_header_ = content == header;
        if (!has_header_) {
            throw error(quoted(content) + " is not the first line of a profile, which is " + quoted(header));
        }
    }

    void read_library(std::string_view content) {
        if (!profile_.library.empty() || !profile_.reroutes.empty() || !profile_.plugins.empty()) {
            throw error("'library' comes once, before all calls");
        }
        profile_.library = trimmed(content.substr(library_word.size()));
    }

    void read_reroute(std::string_view content) {
        const std::vector<std::string_view> words = words_of(content, n_words);
        if (words.size() < n_words) {
            throw error(quoted(content) + " is not 'operation processes from_bytes to_bytes mock-up', with words of "
                                          "evidence");
        }
        const auto fitting = substitutes(words[0]);
        if (fitting.empty() || words[0].empty()) {
            throw error("unknown operation " + quoted(words[0]) + "; there are mock-ups of " +
                        listed(substitutes(""), &mockup::Algorithm::stands_for));
        }
        const auto found = std::ranges::find(fitting, words[4], &mockup::Algorithm::name);
        const std::string_view head = words[4].substr(0, words[4].find('('));
        const auto plugged = std::ranges::find_if(
            profile_.plugins, [&](const PluginLine& one) { return one.name == head && one.operation == words[0]; });
        if (found == fitting.end() && plugged == profile_.plugins.end()) {
            throw error(quoted(words[4]) + " does not stand for " + std::string(words[0]) + "; " +
                        listed(fitting, &mockup::Algorithm::name) + " do");
        }
        const std::uint64_t n = number(words[1], "processes");
        add({fitting.front()->stands_for, std::string(words[4]), found == fitting.end() ? nullptr : *found,
             static_cast<std::size_t>(plugged - profile_.plugins.begin()),
             static_cast<int>(std::min<std::uint64_t>(n, INT32_MAX)), number(words[2], "from_bytes"),
             number(words[3], "to_bytes"), number_});
    }

    void read_plugin(std::string_view content) {
        const std::vector<std::string_view> words = words_of(content, n_plugin_words);
        std::string_view path = content;
        for (const std::string_view word : words) {
            path = trimmed(path.substr(word.size()));
        }
        if (words.size() < n_plugin_words || path.empty()) {
            throw error(quoted(content) + " is not 'plugin name operation sha256 path'");
        }
        if (!profile_.reroutes.empty()) {
            throw error("'plugin' comes before all calls");
        }
        const auto fitting = substitutes(words[2]);
        if (fitting.empty()) {
            throw error("no calls of " + quoted(words[2]) + " can be rerouted; possible are calls of " +
                        listed(substitutes(""), &mockup::Algorithm::stands_for));
        }
        if (words[3].size() != n_digest_digits ||
            words[3].find_first_not_of("0123456789abcdef") != std::string_view::npos) {
            throw error(quoted(words[3]) + " is not a SHA-256, 64 hexadecimal digits");
        }
        const auto is_same = [&](const PluginLine& one) { return one.name == words[1]; };
        if (std::ranges::any_of(profile_.plugins, is_same)) {
            throw error("plug-in operation " + quoted(words[1]) + " is named twice");
        }
        profile_.plugins.push_back(
            {std::string(words[1]), fitting.front()->stands_for, std::string(words[3]), std::string(path)});
    }

    [[nodiscard]] std::uint64_t number(std::string_view word, const std::string& what) const {
        std::int64_t value = 0;
        const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (code != std::errc() || end != word.data() + word.size() || value < 1) {
            throw error(what + " " + quoted(word) + " is not a whole number from 1");
        }
        return static_cast<std::uint64_t>(value);
    }

    void add(const Reroute& made) {
        if (made.from_bytes > made.to_bytes) {
            throw error("from_bytes " + std::to_string(made.from_bytes) + " is above to_bytes " +
                        std::to_string(made.to_bytes));
        }
        for (const Reroute& other : profile_.reroutes) {
            if (other.n == made.n && other.operation == made.operation && made.from_bytes <= other.to_bytes &&
                other.from_bytes <= made.to_bytes) {
                throw error(std::string(made.operation) + " of " + std::to_string(made.n) + " processes from " +
                            std::to_string(made.from_bytes) + " to " + std::to_string(made.to_bytes) +
                            " bytes overlaps " + std::to_string(other.from_bytes) + " to " +
                            std::to_string(other.to_bytes) + " bytes of line " + std::to_string(other.line));
            }
        }
        profile_.reroutes.push_back(made);
    }

    const std::string& name_;
    int number_ = 0;
    bool has_header_ = false;
    Profile profile_;
};

Profile parse_own(std::string_view text, const std::string& name) {
    Reader reader(name);
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        reader.read(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return reader.take();
}

/// Ranges of several texts as lines that do not overlap: the first range that contains a size counts, also where it
/// leaves the size to the library.
class FirstMatch {
public:
    /// `is_left`: to the library.
    void add(const Reroute& made, bool is_left, Profile& profile) {
        auto& before = taken_[{made.operation, made.n}];
        std::uint64_t begin = std::max<std::uint64_t>(made.from_bytes, 1);
        for (const auto& [first, last] : before) { // ascending
            if (last >= begin && first <= made.to_bytes) {
                add_free(made, is_left, {begin, first}, profile);
                begin = std::max(begin, last + 1);
            }
        }
        add_free(made, is_left, {begin, made.to_bytes + 1}, profile);
        before.insert({made.from_bytes, made.to_bytes});
    }

private:
    struct FreeSizes {
        std::uint64_t begin;
        std::uint64_t end; ///< behind the last
    };
    static void add_free(const Reroute& made, bool is_left, const FreeSizes& sizes, Profile& profile) {
        if (sizes.begin < sizes.end && !is_left) {
            Reroute& part = profile.reroutes.emplace_back(made);
            part.from_bytes = sizes.begin;
            part.to_bytes = sizes.end - 1;
        }
    }

    std::map<std::pair<std::string_view, int>, std::set<std::pair<std::uint64_t, std::uint64_t>>> taken_;
};

} // namespace

Profile parse_profiles(const std::vector<ProfileText>& sources) {
    Profile profile;
    FirstMatch lines;
    for (const auto& [name, text] : sources) {
        if (is_pgmpi(text)) {
            const PgmpiProfile found = parse_pgmpi(text, name);
            profile.remarks.insert(profile.remarks.end(), found.remarks.begin(), found.remarks.end());
            for (const PgmpiRange& one : found.ranges) {
                const std::string name_of_mockup(one.mockup == nullptr ? "" : one.mockup->name);
                lines.add({one.operation, name_of_mockup, one.mockup, 0, one.n, one.from_bytes, one.to_bytes, one.line},
                          one.mockup == nullptr, profile);
            }
        } else {
            const Profile found = parse_own(text, name);
            profile.library = profile.library.empty() ? found.library : profile.library;
            const std::size_t n_before = profile.plugins.size();
            profile.plugins.insert(profile.plugins.end(), found.plugins.begin(), found.plugins.end());
            for (Reroute one : found.reroutes) {
                one.plugin += n_before;
                lines.add(one, false, profile);
            }
        }
    }
    return profile;
}

} // namespace ictus::redirect

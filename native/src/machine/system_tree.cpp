#include "machine/system_tree.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

namespace ictus::machine {

namespace {

constexpr std::string_view blanks = " \t\r\n";

template <class Number>
std::optional<Number> whole_number(std::string_view text) {
    Number number{};
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) {
        return std::nullopt;
    }
    return number;
}

/// Everything up to the end, or nothing if a read fails. The kernel's files have no size to ask for beforehand.
std::optional<std::string> read_all(int descriptor) {
    std::string content;
    std::array<char, 16384> buffer;
    while (true) {
        const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
        if (got > 0) {
            content.append(buffer.data(), static_cast<std::size_t>(got));
        } else if (got == 0) {
            return content;
        } else if (errno != EINTR) {
            return std::nullopt;
        }
    }
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
    std::vector<std::string_view> parts;
    std::size_t begin = text.find_first_not_of(separators);
    while (begin != std::string_view::npos) {
        const std::size_t end = text.find_first_of(separators, begin);
        parts.push_back(text.substr(begin, end - begin));
        begin = text.find_first_not_of(separators, end);
    }
    return parts;
}

} // namespace

std::optional<std::string> SystemTree::text(const std::string& path) const {
    const int descriptor = ::open(full(path).c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return std::nullopt;
    }
    std::optional<std::string> content = read_all(descriptor);
    ::close(descriptor);
    return content;
}

std::optional<std::string> SystemTree::word(const std::string& path) const {
    const std::optional<std::string> content = text(path);
    const std::string_view bare = content ? trimmed(*content) : std::string_view{};
    return bare.empty() ? std::nullopt : std::optional<std::string>(bare);
}

std::optional<std::int64_t> SystemTree::integer(const std::string& path) const {
    const std::optional<std::string> content = word(path);
    return content ? to_integer(*content) : std::nullopt;
}

bool SystemTree::exists(const std::string& path) const { return ::access(full(path).c_str(), F_OK) == 0; }

std::optional<std::int64_t> SystemTree::capacity(const std::string& path) const {
    std::error_code failure;
    const std::filesystem::space_info space = std::filesystem::space(full(path), failure);
    return failure ? std::nullopt : std::optional(static_cast<std::int64_t>(space.capacity));
}

std::vector<std::string> SystemTree::names(const std::string& path) const {
    std::vector<std::string> found;
    std::error_code failure; // an unreadable folder holds nothing that we know of
    for (const auto& entry : std::filesystem::directory_iterator(full(path), failure)) {
        found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(blanks);
    return begin == std::string_view::npos ? std::string_view{}
                                           : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::optional<std::int64_t> to_integer(std::string_view text) { return whole_number<std::int64_t>(text); }
std::optional<double> to_real(std::string_view text) { return whole_number<double>(text); }
std::vector<std::string_view> words(std::string_view text) { return split(text, blanks); }
std::string folder_of_cpu(int cpu) { return "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/"; }

std::vector<std::string_view> lines(std::string_view text) { return split(text, "\r\n"); }

} // namespace ictus::machine

// The kernel's files about the machine (/proc, /sys), read under a root that tests replace by a tree of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ictus::machine {

/// The value of a factor that the machine does not report.
inline constexpr std::string_view unknown = "unknown";

/// Files under a root folder. Nothing throws: what cannot be read is absent.
class SystemTree {
public:
    explicit SystemTree(std::string root = "/") : root_(std::move(root)) {}

    /// The whole file; `path` is relative to the root, for example "proc/stat".
    [[nodiscard]] std::optional<std::string> text(const std::string& path) const;
    /// The file without blanks at its ends, for the many that hold one word. Absent if nothing is left.
    [[nodiscard]] std::optional<std::string> word(const std::string& path) const;
    [[nodiscard]] std::optional<std::int64_t> integer(const std::string& path) const;
    [[nodiscard]] bool exists(const std::string& path) const;
    /// Bytes that the file system at a folder holds, free or not.
    [[nodiscard]] std::optional<std::int64_t> capacity(const std::string& path) const;
    /// The names in a folder, sorted; empty where unreadable.
    [[nodiscard]] std::vector<std::string> names(const std::string& path) const;

private:
    [[nodiscard]] std::string full(const std::string& path) const { return root_ + "/" + path; }

    std::string root_;
};

/// Where the kernel tells what a CPU is, with a slash behind.
[[nodiscard]] std::string folder_of_cpu(int cpu);

/// `text` without blanks and line ends at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// The whole of `text` as a number, or nothing.
[[nodiscard]] std::optional<std::int64_t> to_integer(std::string_view text);
[[nodiscard]] std::optional<double> to_real(std::string_view text);
/// The words between blanks.
[[nodiscard]] std::vector<std::string_view> words(std::string_view text);
/// The lines, without their ends; a last line need not have one.
[[nodiscard]] std::vector<std::string_view> lines(std::string_view text);

} // namespace ictus::machine

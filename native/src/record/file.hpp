// Files: written piece by piece, whole or not at all, and the file that says why a rank failed.
#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ictus::record {

/// A file being written. Every failure is an Error with the file and the system's reason: a full disk must end the
/// launch and not shorten its samples.
/// Owns a file descriptor. The destructor closes silently; call `close` to learn whether all arrived.
class OutputFile {
public:
    /// Creates or empties the file at `path`.
    explicit OutputFile(std::string path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::span<const std::byte> bytes);
    /// Overwrites at `offset` without moving the end that `write` appends to.
    void write_at(std::uint64_t offset, std::span<const std::byte> bytes);
    /// Waits until the content is on the disk. A file system that cannot say so (pipes, some network mounts) is no
    /// failure.
    void sync();
    void close();

private:
    std::string path_;
    int descriptor_;
};

/// Writes `text` beside `path` under the name `path.partial`, syncs it, and renames it to `path`: a reader sees either
/// what was there before or all of the text. Throws a measurement Error that names the file and the reason; nothing
/// partial is left behind then.
void write_text_file(const std::string& path, std::string_view text);
/// The same with the path that the environment variable `name` holds: the Error is one of usage and names the variable.
void write_text_file_of(const std::string& name, const std::string& path, std::string_view text);

// error.RANK.json: why this rank failed, left in the launch folder for whoever collects the pieces.

/// The content of the file. `time_s` is in seconds since 1970; the earliest one is the first failure of a launch.
/// `kind` is `usage` or `measurement`, or `crash` where a signal ended the rank (record/crash.hpp).
[[nodiscard]] std::string error_json(int rank, double time_s, std::string_view host, std::string_view kind,
                                     std::string_view message);

/// Writes FOLDER/error.RANK.json with the present time. It runs while the rank fails, so it never throws: it returns
/// false where the file cannot be written either.
bool write_error_file(const std::string& folder, int rank, std::string_view host, Error::Kind kind,
                      std::string_view message) noexcept;

} // namespace ictus::record

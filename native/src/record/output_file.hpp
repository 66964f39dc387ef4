// A file being written, where every failure is an Error that names the file and the system's reason: a full disk must
// end the launch, not shorten its samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ictus::record {

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
    /// Waits until the content is on the disk. Filing systems that cannot tell (pipes, some network mounts) are let
    /// pass.
    void sync();
    void close();

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
    int descriptor_;
};

} // namespace ictus::record

// Structured arrays in the NumPy format, version 1.0, written block by block.
// The header is written first with the count 0 and patched when the file is closed, so that a file that was never
// closed disagrees with its own header and is refused by readers.
#pragma once

#include "record/file.hpp"
#include "record/sample_record.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ictus::record {

/// The header of a one-dimensional array of `count` records of the given descriptor. Its length is the smallest
/// multiple of 64 that holds the descriptor and a count of 20 digits, so it does not depend on the count and can be
/// patched in place.
[[nodiscard]] std::string npy_header(std::string_view descriptor, std::uint64_t count);

/// Writes one file. Throws a measurement Error that names the file if anything cannot be written.
class NpyWriter {
public:
    NpyWriter(std::string path, std::string_view descriptor, std::size_t record_bytes);

    /// Appends whole records.
    void append(std::span<const std::byte> records);
    /// Patches the count and syncs. Without it the file stays recognisably torn: that is what the destructor leaves.
    void close();

    [[nodiscard]] std::uint64_t count() const { return count_; }

private:
    OutputFile file_;
    std::string descriptor_;
    std::size_t record_bytes_;
    std::uint64_t count_ = 0;
};

} // namespace ictus::record

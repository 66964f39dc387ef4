// Structured arrays in the NumPy format, version 1.0, written block by block.
// An array has one dimension, or rows of a fixed number of records. The header is written first, with the count 0, and
// patched when the file is closed: a file that was never closed contradicts its header, and readers refuse it.
#pragma once

#include "record/file.hpp"
#include "record/sample_record.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::record {

/// Records per row; absent where the array has one dimension.
using RowLength = std::optional<std::uint64_t>;

/// The header of an array of `count` records (or rows) of the given descriptor. Its length is the smallest multiple of
/// 64 that holds the descriptor and a count of 20 digits, so it does not depend on the count and can be patched in
/// place.
[[nodiscard]] std::string npy_header(std::string_view descriptor, std::uint64_t count, RowLength row = {});

/// Writes one file. Throws a measurement Error that names the file if anything cannot be written.
class NpyWriter {
public:
    NpyWriter(std::string path, std::string_view descriptor, std::size_t record_bytes, RowLength row = {});

    /// Appends whole records, or whole rows.
    void append(std::span<const std::byte> records);
    /// Patches the count and syncs. The destructor does neither, so that the file stays recognisably torn.
    void close();

    [[nodiscard]] std::vector<std::uint64_t> shape() const;

private:
    OutputFile file_;
    std::string descriptor_;
    std::size_t unit_bytes_; ///< of a record, or a row
    RowLength row_;
    std::uint64_t count_ = 0;
};

} // namespace ictus::record

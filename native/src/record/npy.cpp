#include "record/npy.hpp"

#include <stdexcept>
#include <utility>

namespace ictus::record {

namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t longest_count = 20; // digits of 2^64 - 1
constexpr std::size_t preamble = 10;      // magic string, version, length of the rest

std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

std::string description(std::string_view descriptor, const std::string& count, RowLength row) {
    return "{'descr': " + std::string(descriptor) + ", 'fortran_order': False, 'shape': (" + count + "," +
           (row ? " " + std::to_string(*row) : "") + "), }";
}

} // namespace

std::string npy_header(std::string_view descriptor, std::uint64_t count, RowLength row) {
    const std::size_t longest = preamble + description(descriptor, std::string(longest_count, '9'), row).size() + 1;
    const std::size_t total = (longest + alignment - 1) / alignment * alignment;
    const std::size_t rest = total - preamble;
    std::string header = "\x93NUMPY";
    header += {'\x01', '\x00', static_cast<char>(rest & 0xFF), static_cast<char>(rest >> 8)};
    header += description(descriptor, std::to_string(count), row);
    header.resize(total - 1, ' ');
    header += '\n';
    return header;
}

NpyWriter::NpyWriter(std::string path, std::string_view descriptor, std::size_t record_bytes, RowLength row)
    : file_(std::move(path)), descriptor_(descriptor), unit_bytes_(record_bytes * row.value_or(1)), row_(row) {
    file_.write(bytes_of(npy_header(descriptor_, 0, row_)));
}

std::vector<std::uint64_t> NpyWriter::shape() const {
    return row_ ? std::vector<std::uint64_t>{count_, *row_} : std::vector<std::uint64_t>{count_};
}

void NpyWriter::append(std::span<const std::byte> records) {
    if (records.size() % unit_bytes_ != 0) {
        throw std::logic_error("npy writer: " + std::to_string(records.size()) + " bytes are no whole records");
    }
    file_.write(records);
    count_ += records.size() / unit_bytes_;
}

void NpyWriter::close() {
    // The records must be on the disk before the header that counts them.
    file_.sync();
    file_.write_at(0, bytes_of(npy_header(descriptor_, count_, row_)));
    file_.sync();
    file_.close();
}

} // namespace ictus::record

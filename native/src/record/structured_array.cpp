#include "record/structured_array.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ictus::record {

void StructuredArray::add_texts(std::string_view name, const std::vector<std::string>& texts) {
    std::size_t width = 1; // NumPy has no text type of zero bytes
    for (const std::string& text : texts) {
        width = std::max(width, text.size());
    }
    Column& column = add(name, "|S" + std::to_string(width), width, texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        std::memcpy(column.bytes.data() + i * width, texts[i].data(), texts[i].size());
    }
}

StructuredArray::Column& StructuredArray::add(std::string_view name, std::string type, std::size_t width,
                                              std::size_t n_values) {
    if (n_values != n_records_) {
        throw std::logic_error("column " + std::string(name) + " has " + std::to_string(n_values) + " values for " +
                               std::to_string(n_records_) + " records");
    }
    columns_.push_back({std::string(name), std::move(type), width, std::vector<std::byte>(width * n_values)});
    return columns_.back();
}

std::string StructuredArray::descriptor() const {
    std::string text = "[";
    for (const Column& column : columns_) {
        text += (text.size() > 1 ? ", ('" : "('") + column.name + "', '" + column.type + "')";
    }
    return text + "]";
}

std::size_t StructuredArray::record_bytes() const {
    std::size_t sum = 0;
    for (const Column& column : columns_) {
        sum += column.width;
    }
    return sum;
}

std::vector<std::byte> StructuredArray::bytes() const {
    std::vector<std::byte> all;
    all.reserve(n_records_ * record_bytes());
    for (std::size_t i = 0; i < n_records_; ++i) {
        for (const Column& column : columns_) {
            const auto from = column.bytes.begin() + static_cast<std::ptrdiff_t>(i * column.width);
            all.insert(all.end(), from, from + static_cast<std::ptrdiff_t>(column.width));
        }
    }
    return all;
}

} // namespace ictus::record

// A structured array of NumPy, built column by column from a list of structs and written whole. A text column is as
// wide as its longest text.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ictus::record {

/// The records, packed and little-endian, and what describes them.
class StructuredArray {
public:
    explicit StructuredArray(std::size_t n_records) : n_records_(n_records) {}

    /// One number or truth value per record.
    template <class Value>
        requires std::is_arithmetic_v<Value>
    void add_numbers(std::string_view name, const std::vector<Value>& values) {
        Column& column = add(name, type_of<Value>(), sizeof(Value), values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::memcpy(column.bytes.data() + i * sizeof(Value), &values[i], sizeof(Value));
        }
    }
    /// One text per record, in UTF-8, padded with zeros.
    void add_texts(std::string_view name, const std::vector<std::string>& texts);

    [[nodiscard]] std::string descriptor() const;
    [[nodiscard]] std::size_t record_bytes() const;
    /// All records, one after the other.
    [[nodiscard]] std::vector<std::byte> bytes() const;
    [[nodiscard]] std::uint64_t size() const { return n_records_; }

private:
    struct Column {
        std::string name;
        std::string type;
        std::size_t width;
        std::vector<std::byte> bytes;
    };

    Column& add(std::string_view name, std::string type, std::size_t width, std::size_t n_values);
    template <class Value>
    static std::string type_of() {
        static_assert(sizeof(Value) <= 8);
        const std::string digits = std::to_string(sizeof(Value));
        if constexpr (std::is_same_v<Value, std::int8_t>) {
            return "|i1";
        } else if constexpr (std::is_floating_point_v<Value>) {
            return "<f" + digits;
        } else {
            return (std::is_signed_v<Value> ? "<i" : "<u") + digits;
        }
    }

    std::size_t n_records_;
    std::vector<Column> columns_;
};

/// Columns from a list of structs, each computed by a function of one struct.
template <class Row>
class ArrayOf {
public:
    explicit ArrayOf(std::span<const Row> rows) : rows_(rows), array_(rows.size()) {}

    /// A column with the result of `get` for each row: numbers or texts.
    template <std::invocable<const Row&> Get>
    ArrayOf& column(std::string_view name, Get get) {
        using Value = std::remove_cvref_t<std::invoke_result_t<Get, const Row&>>;
        std::vector<Value> values;
        values.reserve(rows_.size());
        for (const Row& row : rows_) {
            values.push_back(get(row));
        }
        if constexpr (std::is_arithmetic_v<Value>) {
            array_.add_numbers(name, values);
        } else {
            array_.add_texts(name, values);
        }
        return *this;
    }

    [[nodiscard]] const StructuredArray& array() const { return array_; }

private:
    std::span<const Row> rows_;
    StructuredArray array_;
};

} // namespace ictus::record

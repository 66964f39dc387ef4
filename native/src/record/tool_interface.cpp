#include "record/tool_interface.hpp"

#ifdef MPI_T_ENUM_NULL

#include "record/json.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ictus::record {

namespace {

/// The name of `value` in the library's enumeration, if it has one.
template <class T>
std::optional<std::string> enumerated(MPI_T_enum enumeration, T value) {
    for (const auto& [item, name] : items_of(enumeration)) {
        if (static_cast<T>(item) == value) {
            return name;
        }
    }
    return std::nullopt;
}

/// An open handle on one variable, with an aligned buffer for its value.
class CvarHandle {
public:
    CvarHandle(int index, const ControlVariable& variable) {
        MPI_Comm world = MPI_COMM_WORLD;
        void* const object = variable.bind == MPI_T_BIND_MPI_COMM ? &world : nullptr;
        open_ = MPI_T_cvar_handle_alloc(index, object, &handle_, &count_) == MPI_SUCCESS;
    }
    ~CvarHandle() {
        if (open_) {
            MPI_T_cvar_handle_free(&handle_);
        }
    }
    CvarHandle(const CvarHandle&) = delete;
    CvarHandle& operator=(const CvarHandle&) = delete;

    /// Fills the buffer; false if the variable cannot be read now.
    bool read() {
        if (!open_ || count_ < 0) {
            return false;
        }
        // A text may have grown since the library reported its length, and the library then writes the longer one:
        // spare room.
        room_.assign(static_cast<std::size_t>(count_) + spare, std::max_align_t{});
        return MPI_T_cvar_read(handle_, room_.data()) == MPI_SUCCESS;
    }
    [[nodiscard]] int count() const { return count_; }
    template <class T>
    [[nodiscard]] const T* values() const {
        return reinterpret_cast<const T*>(room_.data());
    }

private:
    static constexpr std::size_t spare = 256; // elements of max_align_t: 4 or 8 KiB

    MPI_T_cvar_handle handle_{};
    int count_ = 0;
    bool open_ = false;
    std::vector<std::max_align_t> room_;
};

/// The values as text, separated by blanks where there are several.
template <class T>
std::string joined(const CvarHandle& handle, MPI_T_enum enumeration) {
    std::string text;
    for (int i = 0; i < handle.count(); ++i) {
        const T value = handle.values<T>()[i];
        text += i > 0 ? " " : "";
        if constexpr (std::is_same_v<T, double>) {
            text += JsonWriter().value(value).take();
        } else {
            const std::optional<std::string> name = enumerated(enumeration, value);
            text += name ? *name : std::to_string(value);
        }
    }
    return text;
}

using ValueText = std::string (*)(const CvarHandle&, MPI_T_enum);

std::string text_value(const CvarHandle& handle, MPI_T_enum) { return handle.values<char>(); }

/// The standard allows the first seven types; Open MPI uses C's bool and fixed widths as well. Absent for any other.
std::optional<std::string> value_text(const CvarHandle& handle, const ControlVariable& variable) {
    static const std::array<std::pair<MPI_Datatype, ValueText>, 14> types{{
        {MPI_CHAR, text_value},
        {MPI_INT, joined<int>},
        {MPI_UNSIGNED, joined<unsigned>},
        {MPI_UNSIGNED_LONG, joined<unsigned long>},
        {MPI_UNSIGNED_LONG_LONG, joined<unsigned long long>},
        {MPI_COUNT, joined<MPI_Count>},
        {MPI_DOUBLE, joined<double>},
        {MPI_C_BOOL, joined<bool>},
        {MPI_LONG, joined<long>},
        {MPI_LONG_LONG, joined<long long>},
        {MPI_INT32_T, joined<std::int32_t>},
        {MPI_UINT32_T, joined<std::uint32_t>},
        {MPI_INT64_T, joined<std::int64_t>},
        {MPI_UINT64_T, joined<std::uint64_t>},
    }};
    for (const auto& [type, text] : types) {
        if (type == variable.datatype) {
            return text(handle, variable.enumeration);
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<ControlVariable> describe(int index) {
    ControlVariable variable;
    int name_length = 0;
    int description_length = 0;
    int verbosity = 0;
    int scope = 0;
    // The first call asks for the lengths of the texts (with their final zeros), the second for the texts.
    for (const bool with_texts : {false, true}) {
        if (with_texts) {
            variable.name.assign(static_cast<std::size_t>(name_length), '\0');
            variable.description.assign(static_cast<std::size_t>(description_length), '\0');
        }
        if (MPI_T_cvar_get_info(index, with_texts ? variable.name.data() : nullptr, &name_length, &verbosity,
                                &variable.datatype, &variable.enumeration,
                                with_texts ? variable.description.data() : nullptr, &description_length, &variable.bind,
                                &scope) != MPI_SUCCESS) {
            return std::nullopt;
        }
    }
    variable.name.resize(variable.name.find_last_not_of('\0') + 1);
    variable.description.resize(variable.description.find_last_not_of('\0') + 1);
    return variable;
}

std::vector<Item> items_of(MPI_T_enum enumeration) {
    std::vector<Item> items;
    int n_items = 0;
    int name_length = 0;
    if (enumeration == MPI_T_ENUM_NULL ||
        MPI_T_enum_get_info(enumeration, &n_items, nullptr, &name_length) != MPI_SUCCESS) {
        return items;
    }
    for (int index = 0; index < n_items; ++index) {
        std::array<char, 256> name{};
        int length = static_cast<int>(name.size()) - 1;
        int value = 0;
        if (MPI_T_enum_get_item(enumeration, index, &value, name.data(), &length) == MPI_SUCCESS) {
            items.emplace_back(value, name.data());
        }
    }
    return items;
}

std::optional<std::string> read_value(int index, const ControlVariable& variable) {
    if (variable.bind != MPI_T_BIND_NO_OBJECT && variable.bind != MPI_T_BIND_MPI_COMM) {
        return std::nullopt; // bound to an object that we do not have
    }
    CvarHandle handle(index, variable);
    return handle.read() ? value_text(handle, variable) : std::nullopt;
}

} // namespace ictus::record

#endif

#include "record/mpi_facts.hpp"

#include "record/json.hpp"
#include "record/system_tree.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>

namespace ictus::record {

namespace {

std::string library_version() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    if (MPI_Get_library_version(text.data(), &length) != MPI_SUCCESS) {
        return std::string(unknown);
    }
    return std::string(trimmed(text.data())); // some end in a line feed, some count the final zero
}

std::string standard() {
    int major = 0;
    int minor = 0;
    return MPI_Get_version(&major, &minor) == MPI_SUCCESS ? std::to_string(major) + "." + std::to_string(minor)
                                                          : std::string(unknown);
}

std::string thread_level() {
    int level = 0;
    if (MPI_Query_thread(&level) != MPI_SUCCESS) {
        return std::string(unknown);
    }
    return std::string(level == MPI_THREAD_SINGLE       ? "single"
                       : level == MPI_THREAD_FUNNELED   ? "funneled"
                       : level == MPI_THREAD_SERIALIZED ? "serialized"
                       : level == MPI_THREAD_MULTIPLE   ? "multiple"
                                                        : unknown);
}

std::optional<bool> wtime_is_global() {
    void* value = nullptr;
    int found = 0;
    if (MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, static_cast<void*>(&value), &found) != MPI_SUCCESS ||
        found == 0) {
        return std::nullopt;
    }
    return *static_cast<const int*>(value) != 0;
}

// SimGrid's MPI has no tool interface; this constant is what every mpi.h that has one must define.
#ifdef MPI_T_ENUM_NULL

/// The tool interface, open as long as this lives.
class ToolInterface {
public:
    ToolInterface() {
        int provided = 0;
        open_ = MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS;
    }
    ~ToolInterface() {
        if (open_) {
            MPI_T_finalize();
        }
    }
    ToolInterface(const ToolInterface&) = delete;
    ToolInterface& operator=(const ToolInterface&) = delete;

    [[nodiscard]] bool open() const { return open_; }

private:
    bool open_ = false;
};

struct ControlVariable {
    std::string name;
    std::string description;
    MPI_Datatype datatype = MPI_DATATYPE_NULL;
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
    int bind = MPI_T_BIND_NO_OBJECT;
};

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

using Item = std::pair<int, std::string>;

/// Values and names of an enumeration, in the library's order; empty where there is none.
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

/// The name that the library's enumeration gives to `value`, if there is one.
template <class T>
std::optional<std::string> enumerated(MPI_T_enum enumeration, T value) {
    for (const auto& [item, name] : items_of(enumeration)) {
        if (static_cast<T>(item) == value) {
            return name;
        }
    }
    return std::nullopt;
}

/// An open handle on one variable, with aligned room for its value.
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

    /// Fills the room; false if the variable cannot be read now.
    bool read() {
        if (!open_ || count_ < 0) {
            return false;
        }
        // A text may have grown since its length was told, and libraries then write the longer one: leave them room.
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

std::optional<std::string> read_value(int index, const ControlVariable& variable) {
    if (variable.bind != MPI_T_BIND_NO_OBJECT && variable.bind != MPI_T_BIND_MPI_COMM) {
        return std::nullopt; // bound to an object that we have none of
    }
    CvarHandle handle(index, variable);
    return handle.read() ? value_text(handle, variable) : std::nullopt;
}

#endif

} // namespace

MpiFacts read_mpi_facts() { return {library_version(), standard(), thread_level(), wtime_is_global()}; }

std::vector<std::pair<std::string, std::string>> read_control_variables() {
    std::vector<std::pair<std::string, std::string>> variables;
#ifdef MPI_T_ENUM_NULL
    const ToolInterface tool;
    int n_variables = 0;
    if (!tool.open() || MPI_T_cvar_get_num(&n_variables) != MPI_SUCCESS) {
        return variables;
    }
    std::unordered_map<std::string, int> seen;
    for (int index = 0; index < n_variables; ++index) {
        const std::optional<ControlVariable> variable = describe(index);
        const std::optional<std::string> value = variable ? read_value(index, *variable) : std::nullopt;
        if (value) {
            const int times = ++seen[variable->name];
            variables.emplace_back(times == 1 ? variable->name : variable->name + " (" + std::to_string(times) + ")",
                                   *value);
        }
    }
#endif
    return variables;
}

std::string cvars_json() {
    JsonWriter json;
    json.begin_object();
    json.member("format", 1);
    json.key("cvars").begin_object();
    for (const auto& [name, value] : read_control_variables()) {
        json.member(name, value);
    }
    json.end_object();
    json.end_object();
    return json.take(true);
}

std::string cvar_choices_json() {
    JsonWriter json;
    json.begin_object();
    json.member("format", 1);
    json.key("choices").begin_object();
#ifdef MPI_T_ENUM_NULL
    const ToolInterface tool;
    int n_variables = 0;
    if (tool.open() && MPI_T_cvar_get_num(&n_variables) == MPI_SUCCESS) {
        std::unordered_set<std::string> seen;
        for (int index = 0; index < n_variables; ++index) {
            const std::optional<ControlVariable> variable = describe(index);
            if (!variable || !seen.insert(variable->name).second) {
                continue; // of variables of one name the first is the one that read_control_variables() calls by it
            }
            json.key(variable->name).begin_object();
            json.member("description", variable->description);
            json.key("items").begin_array();
            for (const auto& [value, name] : items_of(variable->enumeration)) {
                json.begin_object(JsonWriter::Layout::line).member("value", value).member("name", name).end_object();
            }
            json.end_array();
            json.end_object();
        }
    }
#endif
    json.end_object();
    json.end_object();
    return json.take(true);
}

} // namespace ictus::record

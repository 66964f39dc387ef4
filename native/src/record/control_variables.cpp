#include "record/control_variables.hpp"

#include "record/json.hpp"
#include "record/tool_interface.hpp"

#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace ictus::record {

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
                continue; // where several variables share a name, read_control_variables() gives it to the first
            }
            json.key(variable->name).begin_object();
            json.member("description", variable->description);
            json.key("items").begin_array();
            for (const auto& [value, name] : items_of(variable->enumeration)) {
                json.begin_object(JsonWriter::Spacing::line).member("value", value).member("name", name).end_object();
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

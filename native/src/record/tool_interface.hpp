// One control variable of the MPI tool interface (MPI_T) at a time: its description, its allowed values, its value.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

// SimGrid's MPI has no tool interface; this constant is what every mpi.h that has one must define.
#ifdef MPI_T_ENUM_NULL

namespace ictus::record {

/// The tool interface, open as long as this object lives.
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

/// The library's description of the variable with this index; absent if it gives none.
[[nodiscard]] std::optional<ControlVariable> describe(int index);

using Item = std::pair<int, std::string>;

/// Values and names of an enumeration, in the library's order; empty where there is none.
[[nodiscard]] std::vector<Item> items_of(MPI_T_enum enumeration);

/// The variable's value as text, by the names of its enumeration. Absent if it cannot be read now, is bound to an
/// object that we do not have, or has a type that the standard does not allow.
[[nodiscard]] std::optional<std::string> read_value(int index, const ControlVariable& variable);

} // namespace ictus::record

#endif

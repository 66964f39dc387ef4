// Which functions of MPI the loaded objects of a process import beside those that a library in front of it takes the
// place of: what it cannot see, by name.
#pragma once

#include <string>
#include <vector>

namespace ictus::interposition {

/// What one object imports.
struct ImportedFunctions {
    std::string object;             ///< its file
    std::vector<std::string> names; ///< as C spells them, in alphabetical order: MPI_File_open, PMPI_Barrier
};

/// Of the program and its libraries that are loaded now, those that import any. Not of MPI's own libraries, nor of
/// others that take the place of MPI functions. What a program looks up by name (dlsym) is not known. Any thread.
[[nodiscard]] std::vector<ImportedFunctions> functions_beside_ours();

} // namespace ictus::interposition

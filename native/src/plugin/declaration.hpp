// The shared library of a plug-in and what it declares (include/ictus/operation.h): for the benchmark, where each
// operation becomes a member of the registry, and for libictus-redirect, where it takes the place of a program's call.
#pragma once

#include "base/error.hpp"
#include "base/parameter.hpp"

#include "ictus/operation.h"

#include <string>
#include <vector>

namespace ictus::plugin {

/// A loaded library. It is never unloaded: its texts and functions are referred to until the process ends.
struct Library {
    std::string path;
    void* handle = nullptr;
};

/// An operation of a library, as it declared it.
struct Declaration {
    const ictus_operation* operation;
    const Library* library;
    std::vector<Parameter> parameters;
    std::vector<std::string> defaults; ///< the parameters' texts
};

/// Loads the library at `path`. Throws a usage Error that names it and what is wrong: it is no library, or it is linked
/// to another MPI.
[[nodiscard]] Library open_library(const std::string& path);

/// The operations of a library, which stays where it is. Throws a usage Error: it has none, or one is declared wrongly.
[[nodiscard]] std::vector<Declaration> declarations(const Library& library);

/// `my_bcast of plug-in libmine.so`.
[[nodiscard]] std::string title(const Declaration& declaration);

/// A usage Error about the library at `path`.
[[nodiscard]] Error wrong(const std::string& path, const std::string& what);

} // namespace ictus::plugin

#include "plugin/declaration.hpp"

#include <algorithm>
#include <dlfcn.h>

namespace ictus::plugin {
namespace {

constexpr std::string_view collectives[] = {
    "allgather", "allreduce", "alltoall", "barrier", "bcast", "exscan", "gather", "reduce", "reduce_scatter_block",
    "scan",      "scatter"};

std::string text_of(const char* text) { return text == nullptr ? "" : text; }

bool is_name(std::string_view text) {
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    return !text.empty() && is_letter(text.front()) &&
           std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

void require_name(const std::string& path, const std::string& what, const std::string& name) {
    if (!is_name(name)) {
        throw wrong(path,
                    what + " '" + name + "': a name is lower-case letters, digits and '_', and begins with a letter");
    }
}

/// The object that provides a symbol; empty: none.
std::string provider(void* scope, const char* symbol) {
    Dl_info info{};
    void* const at = dlsym(scope, symbol);
    return at == nullptr || dladdr(at, &info) == 0 ? "" : text_of(info.dli_fname);
}

/// A plug-in that brings another MPI library along would call that one, which nobody initialises. Profiling names, for
/// the others may be a tool's.
void require_same_mpi(const Library& library) {
    const std::string ours = provider(RTLD_DEFAULT, "PMPI_Init");
    const std::string theirs = provider(library.handle, "PMPI_Init");
    if (!theirs.empty() && theirs != ours) {
        throw wrong(library.path,
                    "is linked to " + theirs + ", and this core to " + ours +
                        ": compile it with the wrapper of the library that is measured, or give its source");
    }
}

void append_parameter(Declaration& made, const std::string& path, const ictus_operation_parameter& declared) {
    const std::string name = text_of(declared.name);
    const std::string what = std::string(made.operation->name) + ", parameter";
    require_name(path, what, name);
    if (declared.minimum < 0 || declared.default_value < declared.minimum ||
        declared.default_value > declared.maximum) {
        throw wrong(path, what + " '" + name + "': its default " + std::to_string(declared.default_value) +
                              " is not between its limits " + std::to_string(declared.minimum) + " and " +
                              std::to_string(declared.maximum) + ", which must not be negative");
    }
    made.defaults.push_back(std::to_string(declared.default_value));
    Parameter parameter{declared.name, Parameter::Type::size, "", declared.help == nullptr ? "" : declared.help};
    parameter.minimum = static_cast<double>(declared.minimum);
    parameter.maximum = static_cast<double>(declared.maximum);
    made.parameters.push_back(parameter);
}

Declaration declaration(const Library& library, const ictus_operation& operation) {
    Declaration made{&operation, &library, {}, {}};
    const std::string name = text_of(operation.name);
    require_name(library.path, "operation", name);
    if (operation.create == nullptr || operation.call == nullptr || operation.destroy == nullptr) {
        throw wrong(library.path, "operation '" + name + "' needs create, call and destroy; one of them is missing");
    }
    const bool hooks[] = {operation.allocate != nullptr, operation.release != nullptr, operation.write != nullptr,
                          operation.read != nullptr};
    if (std::ranges::count(hooks, hooks[0]) != std::ssize(hooks)) {
        throw wrong(library.path,
                    "operation '" + name +
                        "' has only some of allocate, release, write and read; memory of its own needs all four");
    }
    if (std::ranges::find(collectives, text_of(operation.stands_for)) == std::end(collectives)) {
        throw wrong(library.path, "operation '" + name + "' stands for '" + text_of(operation.stands_for) +
                                      "'; it can stand for allgather, allreduce, alltoall, barrier, bcast, exscan, "
                                      "gather, reduce, reduce_scatter_block, scan or scatter");
    }
    const ictus_operation_parameter* parameter = operation.parameters;
    for (; parameter != nullptr && parameter->name != nullptr; ++parameter) {
        append_parameter(made, library.path, *parameter);
    }
    for (std::size_t i = 0; i < made.parameters.size(); ++i) {
        made.parameters[i].default_value = made.defaults[i];
    }
    return made;
}

} // namespace

Error wrong(const std::string& path, const std::string& what) { return usage_error("plug-in '" + path + "': " + what); }

Library open_library(const std::string& path) {
    void* const handle = dlopen(path.find('/') == std::string::npos ? ("./" + path).c_str() : path.c_str(), RTLD_NOW);
    if (handle == nullptr) {
        throw wrong(path, "cannot be loaded: " + text_of(dlerror()));
    }
    Library library{path, handle};
    require_same_mpi(library);
    return library;
}

std::vector<Declaration> declarations(const Library& library) {
    using Operations = const ictus_operation* (*)(int);
    const auto operations = reinterpret_cast<Operations>(dlsym(library.handle, "ictus_operations"));
    if (operations == nullptr) {
        throw wrong(library.path,
                    "exports no function 'ictus_operations' (ictus/operation.h; in C++ it is extern \"C\")");
    }
    const ictus_operation* operation = operations(ICTUS_OPERATION_VERSION);
    if (operation == nullptr || operation->name == nullptr) {
        throw wrong(library.path, "has no operations for version " + std::to_string(ICTUS_OPERATION_VERSION) +
                                      " of ictus/operation.h");
    }
    std::vector<Declaration> found;
    for (; operation->name != nullptr; ++operation) {
        found.push_back(declaration(library, *operation));
    }
    return found;
}

std::string title(const Declaration& declaration) {
    const std::string& path = declaration.library->path;
    return std::string(declaration.operation->name) + " of plug-in " + path.substr(path.rfind('/') + 1);
}

} // namespace ictus::plugin

#include "interposition/imported_functions.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <set>
#include <string_view>
#include <utility>

namespace ictus::interposition {
namespace {

/// The symbols of one object that begin as MPI functions do, in C or Fortran.
struct ObjectSymbols {
    std::string file;
    bool is_program = false;
    bool is_ours = false;
    std::set<std::string> defined;
    std::set<std::string> undefined;
};

/// Where the dynamic symbols of an object lie.
struct SymbolTable {
    const ElfW(Sym) * symbols = nullptr;
    const char* names = nullptr;
    std::size_t n = 0;
};

/// How many there are, by the GNU hash table: behind the ones that are not in it, up to the end of the last chain.
std::size_t count_by_gnu_hash(const std::uint32_t* table) {
    const std::uint32_t n_buckets = table[0];
    const std::uint32_t first = table[1];
    const std::uint32_t bloom_words = table[2];
    const auto* const buckets =
        reinterpret_cast<const std::uint32_t*>(reinterpret_cast<const ElfW(Addr)*>(table + 4) + bloom_words);
    const std::uint32_t* const chains = buckets + n_buckets;
    std::uint32_t last = n_buckets == 0 ? 0 : *std::max_element(buckets, buckets + n_buckets);
    if (last < first) {
        return first;
    }
    while ((chains[last - first] & 1) == 0) {
        ++last;
    }
    return last + 1;
}

SymbolTable symbols_of(const dl_phdr_info& object) {
    SymbolTable found;
    const auto* const headers = object.dlpi_phdr;
    const auto* const end = headers + object.dlpi_phnum;
    const auto* const dynamic =
        std::find_if(headers, end, [](const ElfW(Phdr) & one) { return one.p_type == PT_DYNAMIC; });
    if (dynamic == end) {
        return found;
    }
    // Most loaders put addresses in the place of offsets, not all do, and of the kernel's own object none.
    const auto at = [&](ElfW(Addr) value) { return value < object.dlpi_addr ? object.dlpi_addr + value : value; };
    for (const auto* one = reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + dynamic->p_vaddr); // NOLINT
         one->d_tag != DT_NULL; ++one) {
        const ElfW(Addr) address = at(one->d_un.d_ptr);
        switch (one->d_tag) {
        case DT_SYMTAB: found.symbols = reinterpret_cast<const ElfW(Sym)*>(address); break; // NOLINT
        case DT_STRTAB: found.names = reinterpret_cast<const char*>(address); break;        // NOLINT
        case DT_HASH: found.n = reinterpret_cast<const ElfW(Word)*>(address)[1]; break;     // NOLINT
        case DT_GNU_HASH:
            found.n = std::max(found.n, count_by_gnu_hash(reinterpret_cast<const std::uint32_t*>(address))); // NOLINT
            break;
        default: break;
        }
    }
    return found.symbols == nullptr || found.names == nullptr ? SymbolTable{} : found;
}

bool begins_as_mpi(std::string_view name) {
    return std::ranges::any_of(std::initializer_list<std::string_view>{"MPI_", "PMPI_", "mpi_", "pmpi_"},
                               [&](std::string_view one) { return name.starts_with(one); });
}

struct Reading {
    std::vector<ObjectSymbols> objects;
    bool has_begun = false; ///< with the program
};

int read_object(dl_phdr_info* object, std::size_t, void* into) {
    auto& [objects, has_begun] = *static_cast<Reading*>(into);
    ObjectSymbols read;
    read.file = object->dlpi_name;
    read.is_program = !std::exchange(has_begun, true);
    const SymbolTable table = symbols_of(*object);
    for (std::size_t i = 1; i < table.n; ++i) {
        const ElfW(Sym) & symbol = table.symbols[i];
        const std::string_view name = table.names + symbol.st_name;
        if (begins_as_mpi(name)) {
            (symbol.st_shndx == SHN_UNDEF ? read.undefined : read.defined).emplace(name);
        }
    }
    const auto here = reinterpret_cast<ElfW(Addr)>(&read_object);
    read.is_ours = std::any_of(object->dlpi_phdr, object->dlpi_phdr + object->dlpi_phnum, [&](const ElfW(Phdr) & one) {
        const ElfW(Addr) begin = object->dlpi_addr + one.p_vaddr;
        return one.p_type == PT_LOAD && here >= begin && here < begin + one.p_memsz;
    });
    if (read.is_ours || !read.defined.empty() || !read.undefined.empty()) {
        objects.push_back(std::move(read));
    }
    return 0;
}

/// MPI_Bcast for MPI_Bcast and for every name of it in Fortran, which spells all of a name alike; PMPI_Bcast likewise.
std::string c_name(std::string name) {
    const bool is_profiling = name.starts_with('P') || name.starts_with('p');
    std::string rest = name.substr(name.find('_') + 1);
    const bool is_fortran = !std::ranges::any_of(name, isupper) || !std::ranges::any_of(name, islower);
    if (is_fortran) {
        std::ranges::transform(rest, rest.begin(), [](unsigned char one) { return std::tolower(one); });
        for (const std::string_view end : {"_f08ts_large_", "_f08ts_", "_f08_", "__", "_"}) {
            if (rest.ends_with(end)) {
                rest.resize(rest.size() - end.size());
                break;
            }
        }
        if (!rest.empty()) {
            rest[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(rest[0])));
        }
    }
    return (is_profiling ? "PMPI_" : "MPI_") + rest;
}

/// Whether the library has it, so that a program can call it: every function of MPI has a profiling name.
bool is_function_of_mpi(const std::string& c_name) {
    const std::string name = c_name.starts_with('P') ? c_name : "P" + c_name;
    return dlsym(RTLD_DEFAULT, name.c_str()) != nullptr;
}

/// A library of MPI, or one in front of it.
bool belongs_to_mpi(const ObjectSymbols& object) {
    return object.is_ours ||
           std::ranges::any_of(object.defined, [](const std::string& one) { return is_function_of_mpi(c_name(one)); });
}

std::string file_of(const ObjectSymbols& object) {
    std::error_code none;
    return object.is_program ? std::filesystem::read_symlink("/proc/self/exe", none).string() : object.file;
}

} // namespace

std::vector<ImportedFunctions> functions_beside_ours() {
    Reading reading;
    dl_iterate_phdr(read_object, &reading); // while it runs nothing can be loaded: names are looked up behind it
    const std::vector<ObjectSymbols>& objects = reading.objects;
    std::set<std::string> ours;
    for (const ObjectSymbols& object : objects) {
        if (object.is_ours) {
            ours.insert(object.defined.begin(), object.defined.end());
        }
    }
    std::vector<ImportedFunctions> found;
    for (const ObjectSymbols& object : objects) {
        if (belongs_to_mpi(object)) {
            continue;
        }
        std::set<std::string> names;
        for (const std::string& name : object.undefined) {
            const std::string in_c = c_name(name);
            if (!ours.contains(name) && is_function_of_mpi(in_c)) {
                names.insert(in_c);
            }
        }
        if (!names.empty()) {
            found.push_back({file_of(object), {names.begin(), names.end()}});
        }
    }
    return found;
}

} // namespace ictus::interposition

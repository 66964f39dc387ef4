// The counters of one process in a mapped file: what was counted is there however the process ends. Arithmetic and the
// file, no MPI. profile.md has the format.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ictus::profile {

/// What calls are distinguished by.
struct CallKey {
    std::uint16_t call = 0;
    std::uint16_t op = 0;
    std::uint32_t in_place = 0;
    std::uint32_t communicator = 0;
    std::uint32_t type = 0;
    std::int32_t root = 0;
    std::uint64_t size_class = 0;
    std::uint64_t site = 0;

    bool operator==(const CallKey&) const = default;
};

/// The smallest size of the class of `bytes`: each size up to 1 KiB by itself, then 16 classes an octave, each at most
/// 6.25 % wide.
[[nodiscard]] constexpr std::uint64_t size_class_of(std::uint64_t bytes) {
    constexpr std::uint64_t exact = 1024;
    if (bytes <= exact) {
        return bytes;
    }
    int shift = 0;
    for (std::uint64_t rest = bytes >> 5; rest != 0; rest >>= 1) {
        ++shift;
    }
    return bytes >> shift << shift;
}

/// One row of the file.
struct alignas(64) Counter {
    std::atomic<std::uint64_t> hash; ///< 0: free
    std::atomic<std::uint32_t> ready;
    std::uint16_t call;
    std::uint16_t op;
    std::uint32_t communicator;
    std::uint32_t type;
    std::int32_t root;
    std::uint16_t in_place;
    std::uint16_t module;
    std::uint64_t size_class;
    std::uint64_t site;
    std::uint64_t offset; ///< of the site in its module
    std::atomic<std::uint64_t> calls;
    std::atomic<std::uint64_t> bytes;
    std::atomic<std::uint64_t> ns;
    std::atomic<std::uint64_t> longest_ns;
    std::atomic<std::uint64_t> smallest;
    std::atomic<std::uint64_t> largest;
};
static_assert(sizeof(Counter) == 128 && std::atomic<std::uint64_t>::is_always_lock_free);

struct CommunicatorEntry {
    std::uint64_t group_hash;
    std::uint32_t n_ranks;
    std::uint32_t n_remote;
    char name[48];
    char ranks[192]; ///< in MPI_COMM_WORLD: "0-3,8", and "..." where it is longer
};

struct TypeEntry {
    std::uint64_t bytes;
    char name[56];
};

struct OperationEntry {
    char name[32];
};

struct ModuleEntry {
    char path[512];
};

/// At the begin of the file.
struct FileHeader {
    char magic[8];
    std::uint32_t version;
    std::uint32_t header_bytes;
    std::uint32_t n_calls;
    std::uint32_t n_ops;
    std::uint32_t n_communicators;
    std::uint32_t n_types;
    std::uint32_t n_modules;
    std::uint32_t n_counters; ///< behind one for each call, for what has no row of its own
    std::int32_t rank;
    std::int32_t n_ranks;
    std::uint32_t finalised;
    std::uint32_t reserved;
    std::uint64_t began_ns;
    std::atomic<std::uint64_t> last_ns; ///< end of the last call, or of the program
    char host[256];
    char library[256];
};

/// What to write at the begin.
struct ProcessFacts {
    int rank = 0;
    int n_ranks = 0;
    std::string library;
};

class Counters {
public:
    static constexpr std::uint32_t max_communicators = 512; ///< the last: all others
    static constexpr std::uint32_t max_types = 512;
    static constexpr std::uint32_t max_modules = 128;
    static constexpr std::uint32_t max_rows = 1u << 14;

    /// Makes the file `path`, all of it allocated. Throws an Error.
    Counters(const std::string& path, const ProcessFacts& facts);
    ~Counters();
    Counters(const Counters&) = delete;
    Counters& operator=(const Counters&) = delete;

    /// Any number of threads.
    void count(const CallKey& key, std::uint64_t bytes, std::uint64_t began_ns, std::uint64_t ended_ns) noexcept;

    /// One thread at a time: the number of an entry, which is the last where the table is full.
    std::uint32_t add_communicator(std::uint64_t group_hash, std::uint32_t n_ranks, std::uint32_t n_remote,
                                   std::string_view name, std::string_view ranks);
    std::uint32_t add_type(std::string_view name, std::uint64_t bytes);

    void finish() noexcept;

    [[nodiscard]] static std::uint64_t now_ns() noexcept;

private:
    Counter& row_of(const CallKey& key) noexcept;
    void fill(Counter& row, const CallKey& key) noexcept;
    std::uint16_t module_of(std::uint64_t site, std::uint64_t& offset) noexcept;

    std::size_t bytes_ = 0;
    void* memory_ = nullptr;
    FileHeader* header_ = nullptr;
    CommunicatorEntry* communicators_ = nullptr;
    TypeEntry* types_ = nullptr;
    ModuleEntry* modules_ = nullptr;
    Counter* others_ = nullptr; ///< one for each call
    Counter* rows_ = nullptr;
    std::uint32_t n_communicators_ = 0;
    std::uint32_t n_types_ = 0;
    std::atomic<bool> modules_turn_ = false;
};

} // namespace ictus::profile

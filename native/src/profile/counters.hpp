// The counters of one process in a mapped file: what was counted is there however the process ends. Arithmetic and the
// file, no MPI.
#pragma once

#include "base/time.hpp"
#include "profile/arrivals.hpp"

#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
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
    std::uint32_t ended = 0; ///< of a wait for one started collective, its call plus one

    bool operator==(const CallKey&) const = default;
};

/// The smallest size of the class of `bytes`: each size up to 1 KiB by itself, then 16 classes an octave, each at most
/// 6.25 % wide.
[[nodiscard]] constexpr std::uint64_t size_class_of(std::uint64_t bytes) {
    constexpr std::uint64_t exact = 1024;
    if (bytes <= exact) {
        return bytes;
    }
    const int shift = std::bit_width(bytes >> 5);
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
    std::atomic<std::uint64_t> ticks;
    std::atomic<std::uint64_t> longest_ticks;
    std::atomic<std::uint64_t> smallest;
    std::atomic<std::uint64_t> largest;
    std::uint32_t stream; ///< of its calls; Arrivals::none where they are not sampled
    std::uint32_t ended;  ///< as in CallKey
};
static_assert(sizeof(Counter) == 128 && std::atomic<std::uint64_t>::is_always_lock_free);

struct CommunicatorEntry {
    std::uint64_t group_hash;
    std::uint32_t n_ranks;
    std::uint32_t n_remote;
    std::uint32_t own_rank;
    std::uint32_t reserved;
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
    std::uint32_t has_global_time; ///< arrivals lie between two measurements of the clocks, and are on one time line
    Ticks began;
    std::atomic<std::int64_t> last; ///< ticks; end of the last call, or of the program
    double ticks_per_second;
    std::uint32_t n_streams;
    std::uint32_t room; ///< arrivals of a stream
    char host[256];
    char library[256];
    char clock[512];
    std::uint64_t import_bytes;                ///< at the end of the file, zero-terminated
    std::atomic<std::uint32_t> spawned_worlds; ///< made by this process, as the root; their calls are not counted
    std::atomic<std::uint32_t> late_sessions;  ///< not counted, for they began, or went on, after counting had ended
};

/// What to write at the begin.
struct ProcessFacts {
    int rank = 0;
    int n_ranks = 0;
    bool one_thread = false; ///< no two threads call MPI at once
    std::string library;
    std::string clock;
    double ticks_per_second = 0.0;
    Ticks now;
};

/// Of a communicator, or of a window's group.
struct CommunicatorFacts {
    std::uint64_t group_hash = 0;
    std::uint32_t n_ranks = 0;
    std::uint32_t n_remote = 0;
    std::uint32_t own_rank = 0;
    std::string_view name = "";
};

/// A call among those of its stream.
struct Sampled {
    std::uint32_t stream = Arrivals::none;
    std::uint64_t number = 0;
    std::uint32_t row = 0;
};

class Counters {
public:
    static constexpr std::uint32_t max_communicators = 512; ///< the last: all others
    static constexpr std::uint32_t max_types = 512;
    static constexpr std::uint32_t max_modules = 128;
    static constexpr std::uint32_t max_rows = 1u << 14;
    static constexpr std::uint64_t max_import_bytes = 1u << 17;

    /// Makes the file `path`, all of it allocated. Throws an Error.
    Counters(const std::string& path, const ProcessFacts& facts);
    ~Counters();
    Counters(const Counters&) = delete;
    Counters& operator=(const Counters&) = delete;

    /// Any number of threads.
    Sampled count(const CallKey& key, std::uint64_t bytes, Ticks began, Ticks ended) noexcept;
    /// Call `number` of a stream arrives: of a persistent request.
    void arrive(const Sampled& call, std::uint64_t number, Ticks began, Ticks ended) noexcept;
    /// A wait, which has `row`, for the started call `number` of a stream.
    void end(const Sampled& call, std::uint64_t number, std::uint32_t row, Ticks began, Ticks ended) noexcept;

    /// One thread at a time: the number of an entry, which is the last where the table is full.
    std::uint32_t add_communicator(const CommunicatorFacts& facts, std::string_view ranks);
    std::uint32_t add_type(std::string_view name, std::uint64_t bytes);

    /// What objects of the program import from MPI that is not counted: of each a line of its file, a tab, and names
    /// between blanks. Lines that there is no room for are left out. It replaces what was said before.
    void set_imports(std::string_view lines) noexcept;

    /// The program ends.
    void finish(Ticks now) noexcept;
    /// What is not counted, so that it is told.
    void note_spawned_world() noexcept { ++header_->spawned_worlds; }
    void note_late_session() noexcept { ++header_->late_sessions; }
    /// Behind it: puts arrivals on one time line. `global`: GlobalTime of Ticks; `bound`: its proven bound in seconds.
    template <class Global, class BoundOf>
    void settle(Global global, BoundOf bound) {
        arrivals_->each([&](Arrival& one) {
            one.entered_global_s = global(one.entered).s;
            one.bound_s =
                std::nextafter(static_cast<float>(bound(one.entered)), std::numeric_limits<float>::infinity());
        });
        header_->has_global_time = 1;
    }

private:
    [[nodiscard]] std::uint32_t stream_of(const CallKey& key) noexcept;
    void add(std::atomic<std::uint64_t>& sum, std::uint64_t value) const noexcept;
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
    char* imports_ = nullptr;
    std::uint32_t n_communicators_ = 0;
    std::uint32_t n_types_ = 0;
    std::optional<Arrivals> arrivals_;
    bool one_thread_;
    std::atomic<bool> modules_turn_ = false;
};

} // namespace ictus::profile

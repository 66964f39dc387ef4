#include "profile/counters.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "profile/calls.hpp"
#include "profile/operators.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace ictus::profile {
namespace {

#define ICTUS_CALL(name, ...) #name,
constexpr const char* call_names[] = {ICTUS_ALL_CALLS};
#undef ICTUS_CALL
constexpr std::uint32_t n_calls = static_cast<std::uint32_t>(CallId::n_calls);
static_assert(std::size(call_names) == n_calls);

constexpr int probes = 64; ///< then the row of the call alone

template <std::size_t n>
void copy(char (&to)[n], std::string_view from) {
    std::memcpy(to, from.data(), std::min(from.size(), n - 1));
}

std::uint64_t hash_of(const CallKey& key) {
    // Each part by an odd factor of its own, all at once: four mixed one after the other took a tenth of a call's cost.
    const std::uint64_t hash = SplitMix64::mix(
        key.site * 0x9E3779B97F4A7C15U + key.ended * 0x94D049BB133111EBU + key.size_class * 0xC2B2AE3D27D4EB4FU +
        (std::uint64_t{key.communicator} << 32 | key.type) * 0x165667B19E3779F9U +
        (std::uint64_t{key.call} << 48 | std::uint64_t{key.op} << 33 | std::uint64_t{key.in_place} << 32 |
         static_cast<std::uint32_t>(key.root)) *
            0xD6E8FEB86659FD93U);
    return hash == 0 ? 1 : hash;
}

bool is(const Counter& row, const CallKey& key) {
    return row.call == key.call && row.op == key.op && row.communicator == key.communicator && row.type == key.type &&
           row.root == key.root && row.in_place == key.in_place && row.size_class == key.size_class &&
           row.site == key.site && row.ended == key.ended;
}

/// The number of the process' memory that a file of this name maps, all of it on disk: no counter may end a program
/// because the disk is full.
void* map(const std::string& path, std::size_t bytes) {
    const auto failed = [&](int code) {
        return usage_error("cannot make '" + path + "' of " + std::to_string(bytes >> 10) +
                           " KiB: " + std::strerror(code) + "; set ICTUS_PROFILE to a folder that can be written to");
    };
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) {
        throw failed(errno);
    }
    const int code = posix_fallocate(file, 0, static_cast<off_t>(bytes));
    void* const memory =
        code == 0 ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED; // NOLINT
    const int reason = code == 0 ? errno : code;
    close(file);
    if (memory == MAP_FAILED) {
        throw failed(reason);
    }
    return memory;
}

template <class T>
T* take(std::byte*& at, std::size_t n) {
    T* const taken = reinterpret_cast<T*>(at);
    at += n * sizeof(T);
    return taken;
}

} // namespace

Counters::Counters(const std::string& path, const ProcessFacts& facts) : one_thread_(facts.one_thread) {
    constexpr std::size_t header_bytes = 4096;
    constexpr std::size_t names = n_calls + operator_names.size();
    bytes_ = header_bytes + max_communicators * sizeof(CommunicatorEntry) + max_types * sizeof(TypeEntry) +
             max_modules * sizeof(ModuleEntry) + (names + 3) / 4 * 4 * sizeof(OperationEntry) +
             (n_calls + max_rows) * sizeof(Counter) + Arrivals::max_streams * sizeof(Stream) +
             Arrivals::max_streams * Arrivals::room * sizeof(Arrival) + max_import_bytes;
    memory_ = map(path, bytes_);
    auto* at = static_cast<std::byte*>(memory_);
    header_ = reinterpret_cast<FileHeader*>(at);
    at += header_bytes;
    communicators_ = take<CommunicatorEntry>(at, max_communicators);
    types_ = take<TypeEntry>(at, max_types);
    modules_ = take<ModuleEntry>(at, max_modules);
    auto* name = take<OperationEntry>(at, (names + 3) / 4 * 4); // so that rows begin where a line of cache does
    others_ = take<Counter>(at, n_calls);
    rows_ = take<Counter>(at, max_rows);
    auto* const streams = take<Stream>(at, Arrivals::max_streams);
    arrivals_.emplace(streams, take<Arrival>(at, Arrivals::max_streams * Arrivals::room));
    imports_ = take<char>(at, max_import_bytes);

    for (const char* const call : call_names) {
        copy((name++)->name, call);
    }
    for (const std::string_view op : operator_names) {
        copy((name++)->name, op);
    }
    for (std::uint32_t i = 0; i < n_calls; ++i) {
        others_[i].call = static_cast<std::uint16_t>(i);
        others_[i].root = -1;
        others_[i].smallest = ~std::uint64_t{0};
        others_[i].stream = Arrivals::none;
        others_[i].ready.store(1);
    }
    add_communicator({}, "");
    add_type("", 0);

    FileHeader& header = *header_;
    header.version = 4;
    header.header_bytes = header_bytes;
    header.n_calls = n_calls;
    header.n_ops = static_cast<std::uint32_t>(operator_names.size());
    header.n_communicators = max_communicators;
    header.n_types = max_types;
    header.n_modules = max_modules;
    header.n_counters = max_rows;
    header.rank = facts.rank;
    header.n_ranks = facts.n_ranks;
    header.began = facts.now;
    header.last = facts.now.count;
    header.ticks_per_second = facts.ticks_per_second;
    header.n_streams = Arrivals::max_streams;
    header.room = Arrivals::room;
    header.import_bytes = max_import_bytes;
    gethostname(header.host, sizeof header.host - 1);
    copy(header.library, facts.library);
    copy(header.clock, facts.clock);
    std::memcpy(header.magic, "ICTUSPRF", sizeof header.magic); // last: what has it is whole
}

Counters::~Counters() { munmap(memory_, bytes_); }

/// Threads that cannot count at once need no locked instruction, which takes longer than all else of it.
void Counters::add(std::atomic<std::uint64_t>& sum, std::uint64_t value) const noexcept {
    if (one_thread_) {
        sum.store(sum.load(std::memory_order_relaxed) + value, std::memory_order_relaxed);
    } else {
        sum.fetch_add(value, std::memory_order_relaxed);
    }
}

Sampled Counters::count(const CallKey& key, std::uint64_t bytes, Ticks began, Ticks ended) noexcept {
    Counter& row = row_of(key);
    const auto ticks = static_cast<std::uint64_t>(ended - began);
    add(row.calls, 1);
    add(row.bytes, bytes);
    add(row.ticks, ticks);
    const auto move = [](std::atomic<std::uint64_t>& kept, std::uint64_t value, auto is_further) {
        std::uint64_t known = kept.load(std::memory_order_relaxed);
        while (is_further(value, known) && !kept.compare_exchange_weak(known, value, std::memory_order_relaxed)) {
        }
    };
    move(row.longest_ticks, ticks, std::greater<>());
    move(row.smallest, bytes, std::less<>());
    move(row.largest, bytes, std::greater<>());
    // All processes number the calls of a stream alike, so that those without a row of their own count as well.
    const bool is_own_row = row.hash.load(std::memory_order_relaxed) != 0;
    const std::uint32_t stream = is_own_row ? row.stream : stream_of(key);
    header_->last.store(ended.count, std::memory_order_relaxed);
    Sampled sampled{stream, 0, static_cast<std::uint32_t>(&row - others_)};
    // To make a persistent request is no arrival: it numbers its starts.
    if (stream != Arrivals::none && arrivals_->next(stream, one_thread_, sampled.number) &&
        !is_persistent(static_cast<CallId>(key.call))) {
        arrivals_->keep(stream, {sampled.number, began, ended, 0.0, 0.0F, sampled.row});
    }
    return sampled;
}

void Counters::arrive(const Sampled& call, std::uint64_t number, Ticks began, Ticks ended) noexcept {
    if (call.stream != Arrivals::none) {
        arrivals_->keep(call.stream, {number, began, ended, 0.0, 0.0F, call.row});
    }
}

void Counters::end(const Sampled& call, std::uint64_t number, std::uint32_t row, Ticks began, Ticks ended) noexcept {
    const std::uint32_t stream = call.stream != Arrivals::none ? arrivals_->ends_of(call.stream) : Arrivals::none;
    if (stream != Arrivals::none) {
        arrivals_->keep(stream, {number, began, ended, 0.0, 0.0F, row});
    }
}

std::uint32_t Counters::stream_of(const CallKey& key) noexcept {
    const CallId call = blocking_form(static_cast<CallId>(key.call));
    const CommunicatorEntry& communicator = communicators_[key.communicator];
    const bool is_one_group = communicator.n_ranks > 1 && communicator.n_remote == 0;
    if (!waits_for_others(call) || !is_one_group || key.communicator == max_communicators - 1) {
        return Arrivals::none;
    }
    const std::uint64_t size_class = has_one_size(call) ? key.size_class : 0;
    return arrivals_->find(key.communicator, key.call, size_class, communicator.group_hash);
}

Counter& Counters::row_of(const CallKey& key) noexcept {
    const std::uint64_t hash = hash_of(key);
    for (std::uint64_t i = 0; i < probes; ++i) {
        Counter& row = rows_[(hash + i) % max_rows];
        std::uint64_t known = row.hash.load(std::memory_order_acquire);
        if (known == 0 && row.hash.compare_exchange_strong(known, hash)) {
            fill(row, key);
            return row;
        }
        if (known == hash) {
            while (row.ready.load(std::memory_order_acquire) == 0) { // another thread fills it, in a microsecond
            }
            if (is(row, key)) {
                return row;
            }
        }
    }
    return others_[key.call];
}

void Counters::fill(Counter& row, const CallKey& key) noexcept {
    row.call = key.call;
    row.op = key.op;
    row.communicator = key.communicator;
    row.type = key.type;
    row.root = key.root;
    row.in_place = static_cast<std::uint16_t>(key.in_place);
    row.size_class = key.size_class;
    row.site = key.site;
    row.ended = key.ended;
    row.module = module_of(key.site, row.offset);
    row.stream = stream_of(key);
    row.smallest.store(~std::uint64_t{0}, std::memory_order_relaxed);
    row.ready.store(1, std::memory_order_release);
}

/// The file that the site is code of, as number + 1; 0: unknown.
std::uint16_t Counters::module_of(std::uint64_t site, std::uint64_t& offset) noexcept {
    Dl_info found{};
    link_map* loaded = nullptr;
    if (dladdr1(reinterpret_cast<void*>(site), &found, reinterpret_cast<void**>(&loaded), RTLD_DL_LINKMAP) ==
            0 || // NOLINT
        found.dli_fname == nullptr ||
        loaded == nullptr) {
        return 0;
    }
    offset = site - loaded->l_addr;
    char own[sizeof(ModuleEntry::path)] = {};
    const bool is_program = loaded->l_name == nullptr || *loaded->l_name == '\0';
    if (!is_program || readlink("/proc/self/exe", own, sizeof own - 1) < 0) {
        std::strncpy(own, found.dli_fname, sizeof own - 1);
    }
    while (modules_turn_.exchange(true, std::memory_order_acquire)) {
    }
    std::uint32_t i = 0;
    while (i < max_modules && modules_[i].path[0] != '\0' && std::strcmp(modules_[i].path, own) != 0) {
        ++i;
    }
    if (i < max_modules) {
        copy(modules_[i].path, own);
    }
    modules_turn_.store(false, std::memory_order_release);
    return static_cast<std::uint16_t>(i < max_modules ? i + 1 : 0);
}

std::uint32_t Counters::add_communicator(const CommunicatorFacts& facts, std::string_view ranks) {
    constexpr std::uint32_t last = max_communicators - 1;
    for (std::uint32_t i = 0; i < n_communicators_; ++i) {
        const CommunicatorEntry& known = communicators_[i];
        if (known.group_hash == facts.group_hash && known.n_ranks == facts.n_ranks &&
            known.n_remote == facts.n_remote && facts.name == known.name) {
            return i;
        }
    }
    if (n_communicators_ == last) {
        copy(communicators_[last].name, "others");
        return last;
    }
    CommunicatorEntry& entry = communicators_[n_communicators_];
    entry.group_hash = facts.group_hash;
    entry.n_ranks = facts.n_ranks;
    entry.n_remote = facts.n_remote;
    entry.own_rank = facts.own_rank;
    copy(entry.name, facts.name);
    copy(entry.ranks, ranks);
    return n_communicators_++;
}

std::uint32_t Counters::add_type(std::string_view name, std::uint64_t bytes) {
    constexpr std::uint32_t last = max_types - 1;
    for (std::uint32_t i = 0; i < n_types_; ++i) {
        if (types_[i].bytes == bytes && name == types_[i].name) {
            return i;
        }
    }
    if (n_types_ == last) {
        copy(types_[last].name, "others");
        return last;
    }
    types_[n_types_].bytes = bytes;
    copy(types_[n_types_].name, name);
    return n_types_++;
}

void Counters::set_imports(std::string_view lines) noexcept {
    if (lines.size() >= max_import_bytes) {
        lines = lines.substr(0, lines.rfind('\n', max_import_bytes - 2) + 1);
    }
    std::memcpy(imports_, lines.data(), lines.size());
    imports_[lines.size()] = '\0';
}

void Counters::finish(Ticks now) noexcept {
    header_->last.store(now.count, std::memory_order_relaxed);
    header_->finalised = 1;
}

} // namespace ictus::profile

// Cold caches are cold by construction: what is touched between two uses of a line is at least as large as the cache.
#include "check.hpp"
#include "machine/cpu.hpp"
#include "workload/cache.hpp"
#include "workload/operation/buffer.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

using namespace ictus;

namespace {

constexpr std::uint64_t mebibyte = 1 << 20;

std::unique_ptr<CacheMode> make_mode(const std::string& spec, const CacheContext& slot) {
    return cache::registry().make(bind(cache::family(), parse_spec(spec)), slot);
}

/// Two buffers of an operation, of which each call touches every byte.
class TwoBuffers final : public MovingBuffers {
public:
    TwoBuffers(std::size_t size, std::size_t area) : send(size, area), receive(size, area) {}
    void advance() override {
        send.advance();
        receive.advance();
    }
    GuardedBuffer send;
    GuardedBuffer receive;
};

/// The files of one CPU with two private caches, one for instructions, and one that is shared.
class CachedMachine {
public:
    CachedMachine() {
        std::string name = (std::filesystem::temp_directory_path() / "ictus-caches-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            throw std::runtime_error("no temporary folder");
        }
        root_ = name;
        put("topology/thread_siblings_list", "0,4\n");
        cache(0, "1", "Data", "32K", "0,4");
        cache(1, "1", "Instruction", "64K", "0,4");
        cache(2, "2", "Unified", "1024K", "0,4");
        cache(3, "3", "Unified", "32M", "0-7");
    }
    ~CachedMachine() { std::filesystem::remove_all(root_); }
    CachedMachine(const CachedMachine&) = delete;
    CachedMachine& operator=(const CachedMachine&) = delete;
    [[nodiscard]] machine::SystemTree tree() const { return machine::SystemTree(root_); }

private:
    void put(const std::string& path, const std::string& text) {
        const std::filesystem::path full = std::filesystem::path(root_) / "sys/devices/system/cpu/cpu0" / path;
        std::filesystem::create_directories(full.parent_path());
        std::ofstream(full) << text;
    }
    void cache(int index, const char* level, const char* type, const char* size, const char* cpus) {
        const std::string folder = "cache/index" + std::to_string(index) + "/";
        put(folder + "level", level);
        put(folder + "type", type);
        put(folder + "size", size);
        put(folder + "shared_cpu_list", cpus);
    }
    std::string root_;
};

} // namespace

namespace {

/// Moves a buffer through its area until it is back.
std::size_t n_slots(GuardedBuffer& buffer) {
    const std::byte* const first = buffer.data();
    std::size_t n = 0;
    do {
        buffer.advance();
        ++n;
    } while (buffer.data() != first);
    return n;
}

} // namespace

TEST(a_rotating_buffer_is_at_every_place_once_before_it_is_back) {
    for (const std::size_t size : {1, 8, 64, 100, 4096, 1 << 20, 3 << 20}) {
        GuardedBuffer buffer(size, 2 * mebibyte);
        const std::size_t n = n_slots(buffer);
        std::set<const std::byte*> slots;
        for (std::size_t i = 0; i < n; ++i) {
            CHECK(slots.insert(buffer.data()).second);
            CHECK_EQ(0u, reinterpret_cast<std::uintptr_t>(buffer.data()) % GuardedBuffer::line_bytes);
            buffer.advance();
        }
        CHECK_EQ(1u, slots.count(buffer.data()));
        CHECK(n >= 2);
        // Between two uses of a line the lines of all other slots are touched: twice the cache, less one slot.
        const std::size_t lines = (size + GuardedBuffer::line_bytes - 1) / GuardedBuffer::line_bytes;
        CHECK(n * lines * GuardedBuffer::line_bytes >= 2 * mebibyte);
    }
}

TEST(places_do_not_overlap_and_the_next_one_is_not_fetched_ahead) {
    GuardedBuffer buffer(100, mebibyte);
    std::set<const std::byte*> slots;
    for (std::size_t i = n_slots(buffer); i > 0; --i) {
        const std::byte* const before = buffer.data();
        slots.insert(before);
        buffer.advance();
        CHECK(std::abs(buffer.data() - before) > 4096); // another page: processors do not fetch ahead across pages
    }
    for (auto at = slots.begin(); std::next(at) != slots.end(); ++at) {
        CHECK(*std::next(at) - *at >= 100);
    }
}

TEST(guards_are_where_the_buffer_is) {
    GuardedBuffer buffer(10, 4096);
    for (std::size_t i = 2 * n_slots(buffer); i > 0; --i) {
        std::ranges::fill(buffer.bytes(), std::byte{0xFF});
        buffer.raise_guards();
        CHECK(!buffer.breach());
        buffer.data()[10] ^= std::byte{1};
        CHECK(buffer.breach().has_value());
        buffer.advance();
    }
}

TEST(a_buffer_without_an_area_stays) {
    GuardedBuffer buffer(100);
    const std::byte* const before = buffer.data();
    buffer.advance();
    CHECK(buffer.data() == before);
    CHECK_EQ(1u, n_slots(buffer));
}

TEST(an_area_beyond_memory_is_refused_with_its_places) {
    CHECK_THROWS(GuardedBuffer(std::size_t{1} << 62, std::size_t{1} << 62), "at 2 places");
}

TEST(cold_rotate_moves_the_buffers_before_each_repetition_and_writes_nothing) {
    const auto mode = make_mode("cold-rotate", {mebibyte});
    CHECK_EQ(2 * mebibyte, mode->area_bytes());
    CHECK_EQ(mebibyte, mode->cache_bytes());
    TwoBuffers buffers(8, mode->area_bytes());
    const std::byte* const send = buffers.send.data();
    const std::byte* const receive = buffers.receive.data();
    mode->prepare(buffers);
    CHECK(buffers.send.data() != send);
    CHECK(buffers.receive.data() != receive);
    CHECK(mode->overwritten().empty());
}

TEST(cold_memset_overwrites_as_much_as_the_cache_holds_each_time) {
    const auto mode = make_mode("cold-memset(size=64Ki)", {mebibyte});
    CHECK_EQ(std::uint64_t{65536}, mode->cache_bytes());
    CHECK_EQ(std::uint64_t{0}, mode->area_bytes());
    TwoBuffers buffers(8, 0);
    const std::byte* const send = buffers.send.data();
    for (int i = 0; i < 300; ++i) { // the value that is written goes round
        const std::vector<std::byte> before(mode->overwritten().begin(), mode->overwritten().end());
        CHECK_EQ(std::size_t{65536}, before.size());
        mode->prepare(buffers);
        std::size_t changed = 0;
        for (std::size_t at = 0; at < before.size(); ++at) {
            changed += before[at] != mode->overwritten()[at] ? 1U : 0U;
        }
        CHECK_EQ(before.size(), changed);
    }
    CHECK(buffers.send.data() == send);
}

TEST(warm_leaves_everything_as_it_is) {
    const auto mode = make_mode("warm", {});
    TwoBuffers buffers(8, mode->area_bytes());
    const std::byte* const send = buffers.send.data();
    mode->prepare(buffers);
    CHECK(buffers.send.data() == send);
    CHECK_EQ(std::uint64_t{0}, mode->cache_bytes());
}

TEST(an_unknown_cache_must_be_named) {
    CHECK_THROWS(make_mode("cold-memset", {}), "cold-memset(size=1Mi)");
    CHECK_THROWS(make_mode("cold-rotate", {}), "(unknown)");
    CHECK_EQ(2 * mebibyte, make_mode("cold-rotate(size=2Mi)", {})->cache_bytes());
}

TEST(the_last_cache_that_the_core_has_for_itself_is_found) {
    const CachedMachine machine;
    const auto caches = machine::read_caches(machine.tree(), 0);
    CHECK_EQ(3u, caches.size()); // none for instructions
    CHECK((caches[0] == machine::CacheFact{1, 32768, {0, 4}}));
    CHECK((caches[2] == machine::CacheFact{3, 32 * mebibyte, {0, 1, 2, 3, 4, 5, 6, 7}}));
    CHECK(machine::last_private_cache(machine.tree(), 0) == mebibyte);
    CHECK(!machine::last_private_cache(machine.tree(), 1)); // of which the machine tells nothing
}

// The members of family `cache`.
#include "workload/cache.hpp"

#include "base/error.hpp"
#include "workload/operation/buffer.hpp"

#include <cstring>
#include <string>

namespace ictus {
namespace cache {
namespace {

// The cache size that the cold modes use.
constexpr Parameter size_parameter = {
    .name = "size",
    .type = Parameter::Type::size,
    .default_value = "auto",
    .help = "size of the cache to empty; auto: the largest cache that a core does not share, as the system reports it",
    .minimum = 64,
    .maximum = 1ULL << 40,
    .allows_auto = true};

/// The size in force. Throws a usage Error where neither the system nor the user states it.
std::uint64_t size_of(const Bound& bound, const CacheContext& context) {
    if (!bound.is_auto("size")) {
        return static_cast<std::uint64_t>(bound.real("size"));
    }
    if (!context.private_bytes) {
        const std::string name(bound.info().name);
        throw usage_error("cache '" + name +
                          "': this system does not say how large its caches are (unknown); give the size of the " +
                          "cache to empty, as in --cache '" + name + "(size=1Mi)'");
    }
    return *context.private_bytes;
}

} // namespace
} // namespace cache

namespace {

// `warm`: the same buffers every time, left as the last call left them.
class Warm final : public CacheMode {
public:
    void prepare(MovingBuffers&) override {}
};

// `cold-memset`: after each repetition memory of the cache's size is overwritten, so that it displaces the data of the
// call from the cache. The buffers stay where they are.
//
// That evicts from a cache that replaces the line used longest ago, and nearly so from one that approximates that. The
// other caches of the core, which are smaller, are overwritten with it; those that cores share are not emptied.
class ColdMemset final : public CacheMode {
public:
    explicit ColdMemset(std::uint64_t size_bytes) : memory_(size_bytes) {}

    void prepare(MovingBuffers&) override { overwrite(memory_.data(), ++value_, memory_.bytes().size()); }
    [[nodiscard]] std::uint64_t cache_bytes() const override { return memory_.bytes().size(); }
    [[nodiscard]] std::span<const std::byte> overwritten() const override { return memory_.bytes(); }

private:
    /// Through a volatile pointer: nobody reads the data, but the compiler must not remove the writes.
    static inline void* (*volatile overwrite)(void*, int, std::size_t) = std::memset;

    GuardedBuffer memory_;
    unsigned char value_ = 0;
};

constexpr Parameter memset_parameters[] = {cache::size_parameter};

// `cold-rotate`: before each repetition the buffers of the operation move on in areas of at least twice the cache's
// size, so that a buffer returns to a slot only after other slots have displaced its lines. Gropp and Lusk
// 1999 (mpptest). Nothing is written for this, and it takes no time.
//
// Two deviations from mpptest. The size counts the lines that calls really touch: a message of 8 bytes touches one line
// at each place, so it has as many places as lines fit into twice the cache. And places follow each other in strides
// near the golden section of the area, so that what the processor fetches ahead is not the next place
// (workload/operation/buffer).
class ColdRotate final : public CacheMode {
public:
    explicit ColdRotate(std::uint64_t cache_bytes) : cache_bytes_(cache_bytes) {}

    void prepare(MovingBuffers& buffers) override { buffers.advance(); }
    [[nodiscard]] std::uint64_t area_bytes() const override { return 2 * cache_bytes_; }
    [[nodiscard]] std::uint64_t cache_bytes() const override { return cache_bytes_; }

private:
    std::uint64_t cache_bytes_;
};

constexpr Parameter rotate_parameters[] = {cache::size_parameter};

} // namespace

namespace cache {
namespace {

const CacheMember warm = {
    {"warm", "the same buffers every time", "", {}},
    [](const Bound&, const CacheContext&) -> std::unique_ptr<CacheMode> { return std::make_unique<Warm>(); }};

const CacheMember cold_memset = {
    {"cold-memset", "memory of the cache's size is overwritten after each repetition", "", memset_parameters},
    [](const Bound& bound, const CacheContext& context) -> std::unique_ptr<CacheMode> {
        return std::make_unique<ColdMemset>(size_of(bound, context));
    }};

const CacheMember cold_rotate = {{"cold-rotate", "the buffers move through areas twice as large as the cache",
                                  "Gropp and Lusk 1999", rotate_parameters},
                                 [](const Bound& bound, const CacheContext& context) -> std::unique_ptr<CacheMode> {
                                     return std::make_unique<ColdRotate>(size_of(bound, context));
                                 }};

} // namespace

const Registry<CacheMode, const CacheContext&>& registry() {
    static const Registry<CacheMode, const CacheContext&> all{
        "cache", "the state of the caches at each start", {&warm, &cold_memset, &cold_rotate}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace cache

} // namespace ictus

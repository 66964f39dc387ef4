// `cold-memset`: after each repetition memory of the cache's size is overwritten, so that what the call left in the
// cache gives way to it. The buffers stay where they are.
//
// That evicts from a cache that replaces the line used longest ago, and nearly so from one that approximates that. The
// other caches of the core, which are smaller, are overwritten with it; those that cores share are not emptied.
#include "workload/cache/cache_size.hpp"
#include "workload/operation/buffer.hpp"

#include <cstring>

namespace ictus {
namespace {

class ColdMemset final : public CacheMode {
public:
    explicit ColdMemset(std::uint64_t size_bytes) : memory_(size_bytes) {}

    void prepare(MovingBuffers&) override { overwrite(memory_.data(), ++value_, memory_.bytes().size()); }
    [[nodiscard]] std::uint64_t cache_bytes() const override { return memory_.bytes().size(); }
    [[nodiscard]] std::span<const std::byte> overwritten() const override { return memory_.bytes(); }

private:
    /// Through a pointer that the compiler cannot see through: nobody reads what is written, and yet it must be.
    static inline void* (*volatile overwrite)(void*, int, std::size_t) = std::memset;

    GuardedBuffer memory_;
    unsigned char value_ = 0;
};

constexpr Parameter memset_parameters[] = {cache::size_parameter};

} // namespace

namespace cache {
extern const CacheMember cold_memset;
const CacheMember cold_memset = {
    {"cold-memset", "memory of the cache's size is overwritten after each repetition", "", memset_parameters},
    [](const Bound& bound, const CachePlace& place) -> std::unique_ptr<CacheMode> {
        return std::make_unique<ColdMemset>(size_of(bound, place));
    }};
} // namespace cache

} // namespace ictus

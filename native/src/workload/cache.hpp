// Family cache: the state of the caches at the start of each repetition.
#pragma once

#include "base/registry.hpp"
#include "workload/operation/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace ictus {

/// What a cache mode may need when it is made.
struct CacheContext {
    /// The last cache that a core has for itself, the largest over ranks; absent where the system does not report it.
    std::optional<std::uint64_t> private_bytes;
};

class CacheMode {
public:
    virtual ~CacheMode() = default;
    /// Before each repetition and before its process synchronisation: never timed.
    virtual void prepare(MovingBuffers& buffers) = 0;
    /// How much memory each buffer of the operation moves through; 0: it stays where it is.
    [[nodiscard]] virtual std::uint64_t area_bytes() const { return 0; }
    /// The cache size that it uses; 0: none.
    [[nodiscard]] virtual std::uint64_t cache_bytes() const { return 0; }
    /// The memory that prepare() writes to, for tests; most write none.
    [[nodiscard]] virtual std::span<const std::byte> overwritten() const { return {}; }
};

using CacheMember = Member<CacheMode, const CacheContext&>;

namespace cache {
[[nodiscard]] const Registry<CacheMode, const CacheContext&>& registry();
[[nodiscard]] const FamilyInfo& family();
} // namespace cache

} // namespace ictus

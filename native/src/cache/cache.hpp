// Family cache: the state of the caches at the start of each repetition.
#pragma once

#include "core/registry.hpp"

namespace ictus {

class CacheMode {
public:
    virtual ~CacheMode() = default;
    /// Before each repetition, ahead of process synchronisation.
    virtual void prepare() = 0;
};

using CacheMember = Member<CacheMode>;

namespace cache {
[[nodiscard]] const Registry<CacheMode>& registry();
[[nodiscard]] const FamilyInfo& family();
} // namespace cache

} // namespace ictus

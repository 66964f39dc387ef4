#include "workload/cache/cache.hpp"

namespace ictus::cache {

extern const CacheMember cold_memset, cold_rotate, warm;

const Registry<CacheMode, const CachePlace&>& registry() {
    static const Registry<CacheMode, const CachePlace&> all{
        "cache", "the state of the caches at each start", {&warm, &cold_memset, &cold_rotate}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace ictus::cache

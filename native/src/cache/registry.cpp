#include "cache/cache.hpp"

namespace ictus::cache {

extern const CacheMember warm;

const Registry<CacheMode>& registry() {
    static const Registry<CacheMode> all{"cache", "the state of the caches at each start", {&warm}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace ictus::cache

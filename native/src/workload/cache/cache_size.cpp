#include "workload/cache/cache_size.hpp"

#include "base/error.hpp"

#include <string>

namespace ictus::cache {

std::uint64_t size_of(const Bound& bound, const CachePlace& place) {
    if (!bound.is_auto("size")) {
        return static_cast<std::uint64_t>(bound.real("size"));
    }
    if (!place.private_bytes) {
        const std::string name(bound.info().name);
        throw usage_error("cache '" + name +
                          "': this system does not tell the sizes of its caches (unknown); name the " +
                          "one that is to be cold, as in --cache '" + name + "(size=1Mi)'");
    }
    return *place.private_bytes;
}

} // namespace ictus::cache

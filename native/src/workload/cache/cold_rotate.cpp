// `cold-rotate`: before each repetition the buffers of the operation move on in areas of at least twice the cache's
// size, so that by the time they are back at a place its lines have been displaced by those in between. Gropp and Lusk
// 1999 (mpptest). Nothing is written for it, and no time passes.
//
// Two deviations from mpptest. The size counts the lines that calls really touch: a message of 8 bytes touches one line
// at each place, so it has as many places as lines fit into twice the cache. And places follow each other in strides
// near the golden section of the area, so that what the processor fetches ahead is not the next place
// (operation/buffer).
#include "workload/cache/cache_size.hpp"

namespace ictus {
namespace {

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
extern const CacheMember cold_rotate;
const CacheMember cold_rotate = {{"cold-rotate", "the buffers move through areas twice as large as the cache",
                                  "Gropp and Lusk 1999", rotate_parameters},
                                 [](const Bound& bound, const CachePlace& place) -> std::unique_ptr<CacheMode> {
                                     return std::make_unique<ColdRotate>(size_of(bound, place));
                                 }};
} // namespace cache

} // namespace ictus

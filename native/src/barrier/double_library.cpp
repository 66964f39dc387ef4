// `double-library`: MPI_Barrier twice. The second one starts from the exits of the first, which are closer together
// than the arrivals of a benchmark's loop: what is left is the exit pattern of the library's barrier alone.
#include "barrier/barrier.hpp"

namespace ictus {
namespace {

class DoubleLibraryBarrier final : public OwnBarrier<DoubleLibraryBarrier> {
public:
    void wait(Transport& transport) override {
        transport.library_barrier();
        transport.library_barrier();
    }
};

} // namespace

namespace barrier {
extern const BarrierMember double_library;
const BarrierMember double_library = {
    {"double-library", "MPI_Barrier of the library under test, twice", "", {}},
    [](const Bound&) -> std::unique_ptr<Barrier> { return std::make_unique<DoubleLibraryBarrier>(); }};
} // namespace barrier

} // namespace ictus

// `library`: MPI_Barrier, with whatever algorithm, exit pattern and number of messages the library has.
#include "barrier/barrier.hpp"

namespace ictus {
namespace {

class LibraryBarrier final : public Barrier {
public:
    void wait(Transport& transport) override { transport.library_barrier(); }
    [[nodiscard]] BoundCall bind(Transport& transport) override { return transport.bind_library_barrier(); }
};

} // namespace

namespace barrier {
extern const BarrierMember library;
const BarrierMember library = {
    {"library", "MPI_Barrier of the library under test", "", {}},
    [](const Bound&) -> std::unique_ptr<Barrier> { return std::make_unique<LibraryBarrier>(); }};
} // namespace barrier

} // namespace ictus

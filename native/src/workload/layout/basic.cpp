// `basic`: elements one behind the other, told to MPI as so many of its own datatype.
#include "workload/layout/layout.hpp"

namespace ictus {
namespace {

class BasicLayout final : public Layout {
public:
    [[nodiscard]] bool is_derived() const override { return false; }
    [[nodiscard]] Shape shape() const override { return {}; }
    [[nodiscard]] mpi::DerivedType datatype(MPI_Datatype) const override { return {}; }
};

} // namespace

namespace layout {
extern const LayoutMember basic;
const LayoutMember basic = {{"basic", "so many elements of MPI's own datatype", "", {}},
                            [](const Bound&) -> std::unique_ptr<Layout> { return std::make_unique<BasicLayout>(); }};
} // namespace layout

} // namespace ictus

// Family layout: how the elements of a message lie in memory, and the derived datatype that describes it to MPI.
#pragma once

#include "base/registry.hpp"
#include "mpi/handles.hpp"
#include "workload/operation/shape.hpp"

namespace ictus {

class Layout {
public:
    virtual ~Layout() = default;
    /// Whether the layout needs a derived datatype.
    [[nodiscard]] virtual bool is_derived() const { return true; }
    /// Where a unit has its elements.
    [[nodiscard]] virtual Shape shape() const = 0;
    /// The datatype of a unit of `element`, committed, its extent the shape's; none where units are the elements
    /// themselves.
    [[nodiscard]] virtual mpi::DerivedType datatype(MPI_Datatype element) const = 0;
};

using LayoutMember = Member<Layout>;

namespace layout {

[[nodiscard]] const Registry<Layout>& registry();
[[nodiscard]] const FamilyInfo& family();

/// Elements of one unit of a layout.
[[nodiscard]] std::uint64_t elements_of(const Bound& layout);

} // namespace layout

} // namespace ictus

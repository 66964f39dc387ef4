// Family layout: how the elements of a message lie in memory, and the derived datatype that describes it to MPI.
#pragma once

#include "base/registry.hpp"
#include "mpi/handles.hpp"
#include "workload/operation/shape.hpp"
#include "workload/type_tree.hpp"

namespace ictus {

/// One unit of a layout; a message is a number of them.
class Layout {
public:
    /// `tree` null: a unit is an element, passed to MPI as its own datatype. Else `extent` is the elements from one
    /// unit to the next; the gap behind the last run is included.
    Layout(Tree tree, std::size_t extent);

    /// Whether the layout needs a derived datatype.
    [[nodiscard]] bool is_derived() const { return tree_ != nullptr; }
    /// Where a unit has its elements.
    [[nodiscard]] const Shape& shape() const { return shape_; }
    /// The datatype of a unit of `element`, committed, its extent the shape's; none where units are the elements
    /// themselves.
    [[nodiscard]] mpi::DerivedType datatype(MPI_Datatype element) const;

private:
    Tree tree_;
    Shape shape_;
};

struct LayoutMember : Member<Layout> {
    /// Elements of a unit: products of numbers, parameters, their powers (`length^dimensions`) and triangle numbers
    /// (`triangle(blocks)`), added up by `+`. Those of a parameter that is a layout are the layout's.
    std::string_view elements;
};

namespace layout {

[[nodiscard]] const Registry<Layout>& registry();
[[nodiscard]] const FamilyInfo& family();
[[nodiscard]] const LayoutMember& traits(std::string_view name);

/// Elements of one unit of a layout.
[[nodiscard]] std::uint64_t elements_of(const Bound& layout);

/// A layout of this tree, without a gap behind its last run.
[[nodiscard]] std::unique_ptr<Layout> without_gap(const Tree& tree);
[[nodiscard]] std::unique_ptr<Layout> with_extent(const Tree& tree, std::size_t extent);

/// A number of at least one, as most parameters of layouts are.
[[nodiscard]] constexpr Parameter number(std::string_view name, std::string_view default_value, std::string_view help,
                                         double maximum = 65536, double minimum = 1) {
    return {.name = name,
            .type = Parameter::Type::count,
            .default_value = default_value,
            .help = help,
            .minimum = minimum,
            .maximum = maximum};
}

/// Members with files of their own.
extern const LayoutMember flattened, normalised;
extern const LayoutMember milc_zdown, nas_lu_x, nas_lu_y, nas_mg_x, nas_mg_y, nas_mg_z, wrf, lammps_full, lammps_atomic,
    specfem_oc, specfem_cm, specfem_mt;

} // namespace layout

} // namespace ictus

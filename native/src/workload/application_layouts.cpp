// What common applications send, after the descriptions in Schneider, Gerstenberger and Hoefler, "Micro-applications
// for communication data access patterns and MPI datatypes" (2012): the constructors are theirs, the lengths are
// parameters. Elements stand for the applications' numbers, arrays that are sent together lie one behind the other.
#include "workload/layout.hpp"

#include "base/error.hpp"
#include "base/random.hpp"

#include <utility>

namespace ictus::layout {
namespace {

constexpr std::string_view source = "Schneider, Gerstenberger and Hoefler (2012)";

/// Places 0 <= place < n * spread that ascend without a rule, one in each `spread` of them: the list of particles to
/// send, or of the points of a mesh. The first is 0.
std::vector<std::size_t> scattered(std::size_t n, std::size_t spread) {
    std::vector<std::size_t> places(n);
    for (std::size_t i = 1; i < n; ++i) {
        places[i] = i * spread + SplitMix64::mix(i) % spread;
    }
    return places;
}

/// `numbers` at each of these points, of an array that has as many for each point.
Tree points(const std::vector<std::size_t>& sent, std::size_t numbers) {
    std::vector<std::size_t> places;
    for (const std::size_t point : sent) {
        places.push_back(point * numbers);
    }
    return type_tree::indexed_block(numbers, places);
}

/// Pieces of several arrays, one behind the other, as a structure.
class Arrays {
public:
    /// `piece` of an array of `elements`.
    void add(const Tree& piece, std::size_t elements) {
        blocks_.push_back({end_, 1, pieces_.size()});
        pieces_.push_back(piece);
        end_ += elements;
    }
    [[nodiscard]] std::unique_ptr<Layout> together() const {
        return with_extent(type_tree::structure(blocks_, pieces_), end_);
    }

private:
    std::vector<TypeTree::Block> blocks_;
    std::vector<Tree> pieces_;
    std::size_t end_ = 0;
};

// MILC: SU(3) vectors of 6 numbers on a checkerboard of four dimensions; the plane below in z, of even and odd sites.
constexpr Parameter milc_parameters[] = {
    number("x", "4", "sites in x", 256),
    number("y", "4", "sites in y; x times y is even", 256),
    number("z", "4", "sites in z", 256),
    number("t", "4", "sites in t", 256),
};

std::unique_ptr<Layout> make_milc(const Bound& bound) {
    const std::size_t plane = bound.count("x") * bound.count("y");
    if (plane % 2 != 0) {
        throw usage_error("layout 'milc_zdown': x times y is " + std::to_string(plane) +
                          ", and half of the sites are even; choose an even x or y");
    }
    const Tree site = type_tree::contiguous(6);
    const std::size_t volume = plane / 2 * bound.count("z");
    const Tree parity = type_tree::vector(bound.count("t"), plane / 2, volume, site);
    const std::size_t half = 6 * volume * bound.count("t");
    return with_extent(type_tree::hvector(2, half, parity), 2 * half);
}

// NAS LU: 5 numbers at each point of a plane with a halo of one; a row (x) or a column (y).
constexpr Parameter lu_parameters[] = {number("length", "12", "points of a side, without the halo", 1024)};

// NAS MG: a face of a cube with a halo of one.
constexpr Parameter mg_parameters[] = {number("length", "8", "points of a side, without the halo", 512)};

std::unique_ptr<Layout> make_mg(const Bound& bound, std::size_t across_blocks) {
    const std::size_t length = bound.count("length");
    const std::size_t row = length + 2;
    const std::size_t volume = row * row * row;
    if (across_blocks == 0) { // single points: a vector of vectors
        return with_extent(type_tree::hvector(length, row * row, type_tree::vector(length, 1, row)), volume);
    }
    return with_extent(type_tree::vector(length, length, across_blocks == 1 ? row * row : row), volume);
}

// WRF: the halo of a patch in four arrays of two dimensions, three of three and two of four. Memory has west to east
// first, then height, then south to north.
constexpr Parameter wrf_parameters[] = {
    {.name = "direction",
     .type = Parameter::Type::choice,
     .default_value = "x",
     .help = "x: a face in the west, of short runs; y: one in the south, of long ones",
     .choices = "x y"},
    number("length", "8", "points of a side of the patch, without the halo", 256),
    number("levels", "4", "points in height", 128),
    number("halo", "3", "points of the halo's width", 16),
    number("scalars", "2", "arrays of three dimensions in one of four", 16),
};

std::unique_ptr<Layout> make_wrf(const Bound& bound) {
    const bool is_west = bound.text("direction") == "x";
    const std::size_t length = bound.count("length");
    const std::size_t halo = bound.count("halo");
    const std::size_t levels = bound.count("levels");
    const std::size_t scalars = bound.count("scalars");
    const std::size_t row = length + 2 * halo;
    const std::size_t run = is_west ? halo : length;  // from west to east
    const std::size_t rows = is_west ? length : halo; // from south to north
    const std::size_t volume = row * levels * row;
    const Tree flat = type_tree::vector(rows, run, row);
    const Tree solid = type_tree::hvector(rows, row * levels, type_tree::vector(levels, run, row));
    Arrays arrays;
    for (int i = 0; i < 4; ++i) {
        arrays.add(flat, row * row);
    }
    for (int i = 0; i < 3; ++i) {
        arrays.add(solid, volume);
    }
    for (int i = 0; i < 2; ++i) {
        arrays.add(type_tree::hvector(scalars, volume, solid), scalars * volume);
    }
    return arrays.together();
}

// LAMMPS: the properties of scattered particles, each in an array of its own: the position of 3 numbers, and single
// ones. All are doubles when they are exchanged.
constexpr Parameter lammps_parameters[] = {
    number("particles", "16", "particles that are sent", 4096),
    number("spread", "4", "particles of which one is sent", 64),
};

std::unique_ptr<Layout> make_lammps(const Bound& bound, int single_numbers) {
    const std::size_t all = bound.count("particles") * bound.count("spread");
    const auto sent = scattered(bound.count("particles"), bound.count("spread"));
    Arrays arrays;
    arrays.add(points(sent, 3), 3 * all);
    for (int i = 0; i < single_numbers; ++i) {
        arrays.add(points(sent, 1), all);
    }
    return arrays.together();
}

// SPECFEM3D_GLOBE: accelerations at points that the mesher chose: one number each in the outer core (oc), three in
// crust and mantle and in the inner core (cm); and a plane of a matrix (mt).
constexpr Parameter oc_parameters[] = {
    number("points", "32", "points that are sent", 4096),
    number("spread", "4", "points of which one is sent", 64),
};
constexpr Parameter cm_parameters[] = {
    number("mantle", "24", "points of crust and mantle that are sent", 4096),
    number("core", "8", "points of the inner core that are sent", 4096),
    number("spread", "4", "points of which one is sent", 64),
};
constexpr Parameter mt_parameters[] = {
    number("x", "4", "elements in x", 1024),
    number("y", "4", "elements in y", 1024),
    number("z", "8", "elements in z", 1024),
};

std::unique_ptr<Layout> make_cm(const Bound& bound) {
    Arrays arrays;
    for (const char* part : {"mantle", "core"}) {
        const auto sent = scattered(bound.count(part), bound.count("spread"));
        arrays.add(points(sent, 3), 3 * bound.count(part) * bound.count("spread"));
    }
    return arrays.together();
}

} // namespace

const LayoutMember milc_zdown = {
    {{"milc_zdown", "MILC: SU(3) vectors of a plane in z, even and odd sites", source, milc_parameters}, make_milc},
    "6*x*y*t"};

const LayoutMember nas_lu_x = {{{"nas_lu_x", "NAS LU: a row of points of 5 numbers", source, lu_parameters},
                                [](const Bound& bound) {
                                    return without_gap(
                                        type_tree::contiguous(bound.count("length"), type_tree::contiguous(5)));
                                }},
                               "5*length"};

const LayoutMember nas_lu_y = {{{"nas_lu_y", "NAS LU: a column of points of 5 numbers", source, lu_parameters},
                                [](const Bound& bound) {
                                    const std::size_t length = bound.count("length");
                                    return with_extent(
                                        type_tree::vector(length, 1, length + 2, type_tree::contiguous(5)),
                                        5 * length * (length + 2));
                                }},
                               "5*length"};

const LayoutMember nas_mg_x = {
    {{"nas_mg_x", "NAS MG: the face of a cube across x, single points", source, mg_parameters},
     [](const Bound& bound) { return make_mg(bound, 0); }},
    "length*length"};
const LayoutMember nas_mg_y = {
    {{"nas_mg_y", "NAS MG: the face of a cube across y, rows far apart", source, mg_parameters},
     [](const Bound& bound) { return make_mg(bound, 1); }},
    "length*length"};
const LayoutMember nas_mg_z = {{{"nas_mg_z", "NAS MG: the face of a cube across z, rows near", source, mg_parameters},
                                [](const Bound& bound) { return make_mg(bound, 2); }},
                               "length*length"};

const LayoutMember wrf = {
    {{"wrf", "WRF: the halo of a patch in nine arrays of two to four dimensions", source, wrf_parameters}, make_wrf},
    "4*halo*length+3*halo*length*levels+2*halo*length*levels*scalars"};

const LayoutMember lammps_full = {
    {{"lammps_full", "LAMMPS: six properties of scattered particles", source, lammps_parameters},
     [](const Bound& bound) { return make_lammps(bound, 5); }},
    "8*particles"};
const LayoutMember lammps_atomic = {
    {{"lammps_atomic", "LAMMPS: four properties of scattered particles", source, lammps_parameters},
     [](const Bound& bound) { return make_lammps(bound, 3); }},
    "6*particles"};

const LayoutMember specfem_oc = {
    {{"specfem_oc", "SPECFEM3D_GLOBE: scattered points of the outer core", source, oc_parameters},
     [](const Bound& bound) {
         return with_extent(points(scattered(bound.count("points"), bound.count("spread")), 1),
                            bound.count("points") * bound.count("spread"));
     }},
    "points"};
const LayoutMember specfem_cm = {
    {{"specfem_cm", "SPECFEM3D_GLOBE: scattered points of crust, mantle and inner core", source, cm_parameters},
     make_cm},
    "3*mantle+3*core"};
const LayoutMember specfem_mt = {{{"specfem_mt", "SPECFEM3D_GLOBE: a plane of a matrix", source, mt_parameters},
                                  [](const Bound& bound) {
                                      const std::size_t plane = bound.count("x") * bound.count("y");
                                      return with_extent(type_tree::vector(bound.count("z"), bound.count("x"), plane),
                                                         plane * bound.count("z"));
                                  }},
                                 "x*z"};

} // namespace ictus::layout

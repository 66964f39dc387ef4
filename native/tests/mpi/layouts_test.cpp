// Layouts: what MPI says of a datatype, and what it packs, against places that are worked out here by hand or by loops
// over the application's indices, not by the trees of workload/type_tree.cpp.
#include "check.hpp"
#include "check_mpi.hpp"
#include "mpi/session.hpp"
#include "workload/layout.hpp"

#include <functional>
#include <numeric>
#include <set>

namespace {

using ictus::Layout;
using Places = std::vector<std::size_t>;

std::unique_ptr<Layout> made(const std::string& text) {
    return ictus::layout::registry().make(check::bound(ictus::layout::family(), text));
}

/// The places of a message's elements in memory, as MPI packs them: memory holds its own indices.
Places packed_places(const Layout& layout, int n_units) {
    const auto type = layout.datatype(MPI_INT);
    std::vector<int> memory(layout.shape().extent * static_cast<std::size_t>(n_units));
    std::iota(memory.begin(), memory.end(), 0);
    int n_bytes = 0;
    CHECK_EQ(MPI_SUCCESS, MPI_Pack_size(n_units, type.handle(), MPI_COMM_SELF, &n_bytes));
    std::vector<char> packed(static_cast<std::size_t>(n_bytes));
    int end = 0;
    CHECK_EQ(MPI_SUCCESS, MPI_Pack(memory.data(), n_units, type.handle(), packed.data(), n_bytes, &end, MPI_COMM_SELF));
    std::vector<int> message(layout.shape().n_elements() * static_cast<std::size_t>(n_units));
    int begin = 0;
    CHECK_EQ(MPI_SUCCESS, MPI_Unpack(packed.data(), end, &begin, message.data(), static_cast<int>(message.size()),
                                     MPI_INT, MPI_COMM_SELF));
    return {message.begin(), message.end()};
}

/// The same by the layout's own runs, which every validated message is compared with.
Places run_places(const Layout& layout, int n_units) {
    Places places;
    for (std::size_t unit = 0; unit < static_cast<std::size_t>(n_units); ++unit) {
        for (const auto& run : layout.shape().runs) {
            for (std::size_t i = 0; i < run.n; ++i) {
                places.push_back(unit * layout.shape().extent + run.first + i);
            }
        }
    }
    return places;
}

/// The names for which something does not hold.
struct Claims {
    std::string broken;

    void hold(const std::string& name, bool holds) { broken += holds ? "" : name + " "; }
};

struct ByHand {
    const char* text;
    std::size_t extent;
    Places places; ///< of one unit
};

Places places_where(std::initializer_list<std::size_t> lengths, const std::function<std::size_t(const Places&)>& at) {
    Places found;
    Places index(lengths.size(), 0);
    const std::vector<std::size_t> ends(lengths);
    for (;;) {
        found.push_back(at(index));
        std::size_t dimension = ends.size();
        while (dimension > 0 && ++index[dimension - 1] == ends[dimension - 1]) {
            index[--dimension] = 0;
        }
        if (dimension == 0) {
            return found;
        }
    }
}

/// WRF's arrays for x or y, length 5, 3 levels, a halo of 2, 2 scalars: rows of 9, 9 rows.
Places wrf_places(std::size_t west_east, std::size_t south_north) {
    Places places;
    std::size_t begin = 0;
    const auto add = [&](const Places& own, std::size_t elements) {
        for (const std::size_t place : own) {
            places.push_back(begin + place);
        }
        begin += elements;
    };
    for (int i = 0; i < 4; ++i) {
        add(places_where({south_north, west_east}, [](const Places& x) { return x[0] * 9 + x[1]; }), 81);
    }
    for (int i = 0; i < 3 + 2 * 2; ++i) {
        add(places_where({south_north, 3, west_east}, [](const Places& x) { return (x[0] * 3 + x[1]) * 9 + x[2]; }),
            243);
    }
    return places;
}

const std::vector<ByHand>& by_hand() {
    static const std::vector<ByHand> all = {
        {"contiguous(3)", 3, {0, 1, 2}},
        {"vector(2,5,2)", 10, {0, 1, 5, 6}},
        {"indexed(3,2)", 12, {0, 3, 4, 7, 8, 9}},
        {"hindexed(3,2)", 12, {0, 3, 4, 7, 8, 9}},
        {"struct(3,2)", 12, {0, 3, 4, 7, 8, 9}},
        {"indexed_block(3,2,1)", 12, {0, 1, 3, 4, 7, 8}},
        {"nested_vector(1,2,2,2,10)", 20, {0, 2, 10, 12}},
        {"subarray(2,2,1)", 16, {5, 6, 9, 10}},
        {"subarray(3,2,1)", 64, {21, 22, 25, 26, 37, 38, 41, 42}},
        {"subarray(1,3,2)", 7, {2, 3, 4}},
        {"flattened(vector(2,5,2),by=struct)", 10, {0, 1, 5, 6}},
        {"normalised(indexed(3,2))", 12, {0, 3, 4, 7, 8, 9}},
        // 2 x 3 sites in a plane, 2 planes, t = 2: 3 even sites of 6 numbers in each plane; half of the volume is 12
        // sites
        {"milc_zdown(2,3,2,2)", 144,
         places_where({2, 2, 18}, [](const Places& x) { return x[0] * 72 + x[1] * 36 + x[2]; })},
        {"nas_lu_x(3)", 15, places_where({15}, [](const Places& x) { return x[0]; })},
        {"nas_lu_y(3)", 75, places_where({3, 5}, [](const Places& x) { return x[0] * 25 + x[1]; })},
        {"nas_mg_x(2)", 64, places_where({2, 2}, [](const Places& x) { return x[0] * 16 + x[1] * 4; })},
        {"nas_mg_y(2)", 64, places_where({2, 2}, [](const Places& x) { return x[0] * 16 + x[1]; })},
        {"nas_mg_z(2)", 64, places_where({2, 2}, [](const Places& x) { return x[0] * 4 + x[1]; })},
        {"wrf(x,5,3,2,2)", 4 * 81 + 7 * 243, wrf_places(2, 5)},
        {"wrf(y,5,3,2,2)", 4 * 81 + 7 * 243, wrf_places(5, 2)},
        {"specfem_mt(2,3,2)", 12, {0, 1, 6, 7}},
    };
    return all;
}

} // namespace

TEST(layouts_have_their_elements_where_they_were_worked_out_to_be) {
    Claims claims;
    for (const ByHand& one : by_hand()) {
        const auto layout = made(one.text);
        claims.hold(one.text, one.extent == layout->shape().extent && one.places == run_places(*layout, 1) &&
                                  one.places == packed_places(*layout, 1));
    }
    CHECK_EQ(std::string(), claims.broken);
}

TEST(scattered_points_are_one_in_each_stretch_and_on_no_line) {
    const auto layout = made("specfem_oc(points=64,spread=4)");
    const Places places = packed_places(*layout, 1);
    CHECK_EQ(std::size_t{64}, places.size());
    std::set<std::size_t> distances;
    for (std::size_t i = 0; i < places.size(); ++i) {
        CHECK_EQ(i, places[i] / 4);
        distances.insert(i == 0 ? 0 : places[i] - places[i - 1]);
    }
    CHECK(distances.size() > 4);
    const Places three = packed_places(*made("lammps_full(particles=64,spread=4)"), 1);
    CHECK_EQ(std::size_t{64 * 8}, three.size());
    for (std::size_t i = 0; i < 64; ++i) { // positions of 3 numbers in the first array, the others behind it
        for (std::size_t number = 0; number < 3; ++number) {
            CHECK_EQ(3 * places[i] + number, three[3 * i + number]);
        }
        for (std::size_t array = 0; array < 5; ++array) {
            CHECK_EQ(3 * 256 + array * 256 + places[i], three[(3 + array) * 64 + i]);
        }
    }
    CHECK_EQ(std::size_t{64 * 6}, packed_places(*made("lammps_atomic(particles=64)"), 1).size());
    const Places cm = packed_places(*made("specfem_cm(mantle=64,core=8)"), 1);
    CHECK_EQ(std::size_t{72 * 3}, cm.size());
    CHECK_EQ(std::size_t{3 * 256}, cm[64 * 3]);
}

TEST(mpi_says_the_same_size_and_extent_of_every_layout_and_packs_its_runs) {
    Claims claims;
    for (const auto* member : ictus::layout::family().members) {
        const std::string name(member->name);
        const auto layout = made(name);
        if (!layout->is_derived()) {
            continue;
        }
        const auto type = layout->datatype(MPI_DOUBLE);
        int size = 0;
        MPI_Aint lower = -1;
        MPI_Aint extent = 0;
        MPI_Type_size(type.handle(), &size);
        MPI_Type_get_extent(type.handle(), &lower, &extent);
        claims.hold(name, layout->shape().n_elements() * sizeof(double) == static_cast<std::size_t>(size));
        claims.hold(name, lower == 0 && layout->shape().extent * sizeof(double) == static_cast<std::size_t>(extent));
        const Places places = run_places(*layout, 3);
        claims.hold(name, places == packed_places(*layout, 3));
        claims.hold(name, places.size() == std::set<std::size_t>(places.begin(), places.end()).size()); // none twice
    }
    CHECK_EQ(std::string(), claims.broken);
}

TEST(other_descriptions_have_the_same_bytes_in_the_same_order) {
    Claims claims;
    for (const auto* member : ictus::layout::family().members) {
        const std::string name(member->name);
        const Places places = run_places(*made(name), 2);
        for (const std::string& other : {"flattened(" + name + ",by=indexed)", "flattened(" + name + ",by=hindexed)",
                                         "flattened(" + name + ",by=struct)", "normalised(" + name + ")"}) {
            const auto layout = made(other);
            claims.hold(other,
                        made(name)->shape().extent == layout->shape().extent && places == packed_places(*layout, 2));
        }
    }
    CHECK_EQ(std::string(), claims.broken);
}

namespace {

/// The constructor that the normal form of a layout has on its top.
int combiner_of(const std::string& text) {
    const auto type = made(text)->datatype(MPI_INT); // resized; its child is what was built
    int n[4] = {};
    MPI_Type_get_envelope(type.handle(), &n[0], &n[1], &n[2], &n[3]);
    CHECK_EQ(MPI_COMBINER_RESIZED, n[3]);
    std::vector<MPI_Aint> places(static_cast<std::size_t>(n[1]));
    MPI_Datatype built = MPI_DATATYPE_NULL;
    MPI_Type_get_contents(type.handle(), n[0], n[1], n[2], nullptr, places.data(), &built);
    int combiner = 0;
    MPI_Type_get_envelope(built, &n[0], &n[1], &n[2], &combiner);
    MPI_Type_free(&built);
    return combiner;
}

} // namespace

TEST(the_normal_form_is_the_first_that_describes_the_runs) {
    CHECK_EQ(MPI_COMBINER_CONTIGUOUS, combiner_of("normalised(nas_lu_x)"));
    CHECK_EQ(MPI_COMBINER_CONTIGUOUS, combiner_of("normalised(flattened(contiguous(7),by=struct))"));
    CHECK_EQ(MPI_COMBINER_VECTOR, combiner_of("normalised(flattened(vector(2,5,4),by=struct))"));
    CHECK_EQ(MPI_COMBINER_VECTOR, combiner_of("normalised(nas_lu_y)"));
    CHECK_EQ(MPI_COMBINER_HVECTOR, combiner_of("normalised(flattened(nas_mg_x,by=indexed))"));
    CHECK_EQ(MPI_COMBINER_HVECTOR, combiner_of("normalised(flattened(nested_vector(1,2,3,4,20),by=struct))"));
    CHECK_EQ(MPI_COMBINER_VECTOR,
             combiner_of("normalised(milc_zdown)")); // even and odd sites are as far apart as planes
    CHECK_EQ(MPI_COMBINER_INDEXED_BLOCK, combiner_of("normalised(flattened(indexed_block(5),by=hindexed))"));
    CHECK_EQ(MPI_COMBINER_INDEXED, combiner_of("normalised(struct)"));
    CHECK_EQ(MPI_COMBINER_STRUCT, combiner_of("normalised(subarray)")); // a vector that begins further behind
}

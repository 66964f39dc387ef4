// The same bytes described in another way: what a library makes of a datatype should not depend on how it was built.
#include "workload/layout.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace ictus::layout {
namespace {

/// Equal pieces, outermost first: `count` of them, `stride` elements apart.
struct Level {
    std::size_t count;
    std::size_t stride;
};

bool are_apart(std::span<const std::size_t> places, std::size_t stride) {
    return std::ranges::adjacent_find(places, [stride](std::size_t a, std::size_t b) { return b - a != stride; }) ==
           places.end();
}

/// The nested strides that give these ascending places; nothing where none do.
std::optional<std::vector<Level>> levels_of(std::vector<std::size_t> places) {
    std::vector<Level> levels;
    while (places.size() > 1) {
        const std::size_t stride = places[1] - places[0];
        std::size_t inner = 2; // as many as are a stride apart belong together
        while (inner < places.size() && places[inner] - places[inner - 1] == stride) {
            ++inner;
        }
        if (places.size() % inner != 0) {
            return std::nullopt;
        }
        std::vector<std::size_t> begins;
        for (std::size_t first = 0; first < places.size(); first += inner) {
            if (!are_apart(std::span(places).subspan(first, inner), stride)) {
                return std::nullopt;
            }
            begins.push_back(places[first]);
        }
        levels.insert(levels.begin(), {inner, stride});
        places = std::move(begins);
    }
    return levels;
}

/// The first of contiguous, vector, vectors of a vector, indexed block, indexed that describes the runs.
Tree normal_form(const std::vector<Shape::Run>& runs) {
    const std::size_t length = runs.front().n;
    const std::size_t begin = runs.front().first;
    if (begin != 0 && std::ranges::is_sorted(runs, {}, &Shape::Run::first)) { // a field that lies further behind
        std::vector<Shape::Run> from_zero = runs;
        for (Shape::Run& run : from_zero) {
            run.first -= begin;
        }
        return type_tree::structure({{begin, 1}}, {normal_form(from_zero)});
    }
    if (runs.size() == 1) {
        return type_tree::contiguous(length);
    }
    if (!std::ranges::all_of(runs, [length](const Shape::Run& run) { return run.n == length; })) {
        return type_tree::indexed(runs);
    }
    std::vector<std::size_t> places;
    for (const Shape::Run& run : runs) {
        places.push_back(run.first);
    }
    const auto levels = std::ranges::is_sorted(places) ? levels_of(places) : std::nullopt;
    if (!levels) {
        return type_tree::indexed_block(length, places);
    }
    Tree tree = type_tree::vector(levels->back().count, length, levels->back().stride);
    for (auto level = levels->rbegin() + 1; level != levels->rend(); ++level) {
        tree = type_tree::hvector(level->count, level->stride, tree);
    }
    return tree;
}

Tree flattened_by(const std::string& constructor, const std::vector<Shape::Run>& runs) {
    if (constructor == "indexed") {
        return type_tree::indexed(runs);
    }
    if (constructor == "hindexed") {
        return type_tree::hindexed(runs);
    }
    std::vector<TypeTree::Block> fields;
    for (const Shape::Run& run : runs) {
        fields.push_back({run.first, run.n});
    }
    return type_tree::structure(fields, std::vector<Tree>(1));
}

constexpr Parameter of_layout = {.name = "layout",
                                 .type = Parameter::Type::member,
                                 .default_value = "vector",
                                 .help = "whose bytes are described",
                                 .family = &family};
constexpr Parameter flattened_parameters[] = {
    of_layout,
    {.name = "by",
     .type = Parameter::Type::choice,
     .default_value = "indexed",
     .help = "the datatype constructor that lists the runs",
     .choices = "indexed hindexed struct"},
};
constexpr Parameter normalised_parameters[] = {of_layout};

} // namespace

const LayoutMember flattened = {
    {{"flattened", "the bytes of another layout as one list of runs", "", flattened_parameters},
     [](const Bound& bound) {
         const Shape shape = registry().make(bound.member("layout"))->shape();
         return with_extent(flattened_by(bound.text("by"), shape.runs), shape.extent);
     }},
    "layout"};

const LayoutMember normalised = {
    {{"normalised", "the bytes of another layout by the most special constructors that describe them",
      "after the guidelines of Gropp et al. (2011) and the type reconstruction of Träff (2015); greedy, not optimal",
      normalised_parameters},
     [](const Bound& bound) {
         const Shape shape = registry().make(bound.member("layout"))->shape();
         return with_extent(normal_form(shape.runs), shape.extent);
     }},
    "layout"};

} // namespace ictus::layout

#include "tool/commands.hpp"

#include "mpi/handles.hpp"
#include "record/json.hpp"
#include "tool/command_line.hpp"

#include <mpi.h>

namespace ictus::tool {
namespace {

constexpr Option dims_options[] = {
    option::count("up-to", "4096", "largest number of processes", {1, 1 << 20}),
};

constexpr int fewest_dimensions = 2;
constexpr int most_dimensions = 4;

void write_factors(record::JsonWriter& json, int processes, int dimensions) {
    int factors[most_dimensions] = {}; // zero: the library is free to choose
    mpi::check(MPI_Dims_create(processes, dimensions, factors), "MPI_Dims_create");
    json.begin_array();
    for (const int factor : std::span(factors).first(static_cast<std::size_t>(dimensions))) {
        json.value(factor);
    }
    json.end_array();
}

} // namespace

std::string dims(std::span<const std::string_view> words) {
    const int up_to = static_cast<int>(read_options(dims_options, words, "option").count("up-to"));
    record::JsonWriter json;
    json.begin_object().member("format", 1).member("up_to", up_to).key("dims").begin_object();
    for (int dimensions = fewest_dimensions; dimensions <= most_dimensions; ++dimensions) {
        json.key(std::to_string(dimensions)).begin_array(record::JsonWriter::Spacing::line);
        for (int processes = 1; processes <= up_to; ++processes) {
            write_factors(json, processes, dimensions);
        }
        json.end_array();
    }
    json.end_object().end_object();
    return json.take(true);
}

} // namespace ictus::tool

#include "workload/operation/datatype.hpp"

#include "base/error.hpp"

#include <string>

namespace ictus {
namespace {

/// The same arithmetic as MPI's operator, done by a function of ours.
constexpr Operator user(std::string_view name, Arithmetic arithmetic) {
    return {.name = name, .mpi_name = "MPI_Op_create", .arithmetic = arithmetic, .handle = nullptr};
}

constexpr Operator all_operators[] = {
    {"sum", "MPI_SUM", Arithmetic::sum, [] { return MPI_SUM; }},
    {"prod", "MPI_PROD", Arithmetic::prod, [] { return MPI_PROD; }},
    {"max", "MPI_MAX", Arithmetic::max, [] { return MPI_MAX; }},
    {"min", "MPI_MIN", Arithmetic::min, [] { return MPI_MIN; }},
    {"land", "MPI_LAND", Arithmetic::land, [] { return MPI_LAND; }},
    {"lor", "MPI_LOR", Arithmetic::lor, [] { return MPI_LOR; }},
    {"lxor", "MPI_LXOR", Arithmetic::lxor, [] { return MPI_LXOR; }},
    {"band", "MPI_BAND", Arithmetic::band, [] { return MPI_BAND; }},
    {"bor", "MPI_BOR", Arithmetic::bor, [] { return MPI_BOR; }},
    {"bxor", "MPI_BXOR", Arithmetic::bxor, [] { return MPI_BXOR; }},
    user("user(sum)", Arithmetic::sum),
    user("user(prod)", Arithmetic::prod),
    user("user(max)", Arithmetic::max),
    user("user(min)", Arithmetic::min),
    user("user(land)", Arithmetic::land),
    user("user(lor)", Arithmetic::lor),
    user("user(lxor)", Arithmetic::lxor),
    user("user(band)", Arithmetic::band),
    user("user(bor)", Arithmetic::bor),
    user("user(bxor)", Arithmetic::bxor),
    user("user(affine)", Arithmetic::affine),
};

constexpr Datatype all_datatypes[] = {
    {"byte", "MPI_BYTE", 1, ElementKind::byte, [] { return MPI_BYTE; }},
    {"char", "MPI_SIGNED_CHAR", 1, ElementKind::signed_integer, [] { return MPI_SIGNED_CHAR; }},
    {"int", "MPI_INT", sizeof(int), ElementKind::signed_integer, [] { return MPI_INT; }},
    {"long", "MPI_LONG", sizeof(long), ElementKind::signed_integer, [] { return MPI_LONG; }},
    {"float", "MPI_FLOAT", sizeof(float), ElementKind::floating, [] { return MPI_FLOAT; }},
    {"double", "MPI_DOUBLE", sizeof(double), ElementKind::floating, [] { return MPI_DOUBLE; }},
};

template <class Named>
const Named& find_named(std::span<const Named> all, std::string_view what, std::string_view name) {
    std::string known;
    for (const Named& one : all) {
        if (one.name == name) {
            return one;
        }
        known += (known.empty() ? "" : ", ") + std::string(one.name);
    }
    throw usage_error("unknown " + std::string(what) + " '" + std::string(name) + "'; known are " + known);
}

} // namespace

std::span<const Datatype> datatypes() { return all_datatypes; }
std::span<const Operator> operators() { return all_operators; }
const Datatype& find_datatype(std::string_view name) { return find_named(datatypes(), "datatype", name); }
const Operator& find_operator(std::string_view name) { return find_named(operators(), "operator", name); }

bool allows(const Datatype& datatype, const Operator& reduction) {
    switch (reduction.arithmetic) {
    case Arithmetic::sum:
    case Arithmetic::prod:
    case Arithmetic::max:
    case Arithmetic::min: return datatype.kind != ElementKind::byte;
    case Arithmetic::land:
    case Arithmetic::lor:
    case Arithmetic::lxor: return datatype.kind == ElementKind::signed_integer;
    case Arithmetic::band:
    case Arithmetic::bor:
    case Arithmetic::bxor: return datatype.kind != ElementKind::floating;
    case Arithmetic::affine: return true;
    }
    return false;
}

} // namespace ictus

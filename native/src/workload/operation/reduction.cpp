#include "workload/operation/reduction.hpp"

#include "mpi/handles.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>

namespace ictus::operation {

struct Reduction::Operand {
    MPI_Datatype type;
    Element element;
    Shape shape;
};

namespace {

/// All existing reductions. MPI passes the datatype of the call, so any reduction with this datatype will do.
std::vector<const Reduction::Operand*>& operands() {
    static std::vector<const Reduction::Operand*> all;
    return all;
}

/// The one that was called last: that of nearly every call, so that the timed part does not search.
const Reduction::Operand* latest = nullptr;

const Reduction::Operand& operand_of(MPI_Datatype type) {
    if (latest != nullptr && latest->type == type) {
        return *latest;
    }
    for (const Reduction::Operand* one : operands()) {
        if (one->type == type) {
            latest = one;
            return *one;
        }
    }
    std::fputs("ictus: the MPI library calls a user-defined operator with a datatype that it was not given\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 3);
    std::abort();
}

/// `left` comes before `right` in the order of ranks. Integers wrap, because reductions in place, which continue from
/// the last result, leave their range.
template <Arithmetic arithmetic, class T>
T combined(T left, T right) {
    if constexpr (arithmetic == Arithmetic::affine) {
        const AffineMap map = AffineMap::of(static_cast<std::int32_t>(left));
        return static_cast<T>((map * AffineMap::of(static_cast<std::int32_t>(right))).value());
    } else if constexpr (arithmetic == Arithmetic::max) {
        return left > right ? left : right;
    } else if constexpr (arithmetic == Arithmetic::min) {
        return left < right ? left : right;
    } else if constexpr (std::is_floating_point_v<T>) {
        return arithmetic == Arithmetic::sum ? left + right : left * right;
    } else {
        const auto a = static_cast<std::uint64_t>(left);
        const auto b = static_cast<std::uint64_t>(right);
        switch (arithmetic) {
        case Arithmetic::sum: return static_cast<T>(a + b);
        case Arithmetic::prod: return static_cast<T>(a * b);
        case Arithmetic::land: return static_cast<T>(left && right);
        case Arithmetic::lor: return static_cast<T>(left || right);
        case Arithmetic::lxor: return static_cast<T>(!left != !right);
        case Arithmetic::band: return static_cast<T>(a & b);
        case Arithmetic::bor: return static_cast<T>(a | b);
        default: return static_cast<T>(a ^ b);
        }
    }
}

template <Arithmetic arithmetic, class T>
void combine_units(const void* left, void* right, int n_units, const Shape& shape) {
    const T* from = static_cast<const T*>(left);
    T* into = static_cast<T*>(right);
    for (int unit = 0; unit < n_units; ++unit, from += shape.extent, into += shape.extent) {
        for (const Shape::Run& run : shape.runs) {
            for (std::size_t i = run.first; i < run.first + run.n; ++i) {
                into[i] = combined<arithmetic>(from[i], into[i]);
            }
        }
    }
}

/// An MPI_User_function.
template <Arithmetic arithmetic>
void combine(void* left, void* right, int* n_units, MPI_Datatype* type) {
    const Reduction::Operand& operand = operand_of(*type);
    const bool wide = operand.element.size_bytes == 8;
    switch (operand.element.kind) {
    case ElementKind::byte: return combine_units<arithmetic, std::uint8_t>(left, right, *n_units, operand.shape);
    case ElementKind::floating:
        return wide ? combine_units<arithmetic, double>(left, right, *n_units, operand.shape)
                    : combine_units<arithmetic, float>(left, right, *n_units, operand.shape);
    case ElementKind::signed_integer:
        if (operand.element.size_bytes == 1) {
            return combine_units<arithmetic, std::int8_t>(left, right, *n_units, operand.shape);
        }
        return wide ? combine_units<arithmetic, std::int64_t>(left, right, *n_units, operand.shape)
                    : combine_units<arithmetic, std::int32_t>(left, right, *n_units, operand.shape);
    }
}

MPI_User_function* function_of(Arithmetic arithmetic) {
    switch (arithmetic) {
    case Arithmetic::sum: return combine<Arithmetic::sum>;
    case Arithmetic::prod: return combine<Arithmetic::prod>;
    case Arithmetic::max: return combine<Arithmetic::max>;
    case Arithmetic::min: return combine<Arithmetic::min>;
    case Arithmetic::land: return combine<Arithmetic::land>;
    case Arithmetic::lor: return combine<Arithmetic::lor>;
    case Arithmetic::lxor: return combine<Arithmetic::lxor>;
    case Arithmetic::band: return combine<Arithmetic::band>;
    case Arithmetic::bor: return combine<Arithmetic::bor>;
    case Arithmetic::bxor: return combine<Arithmetic::bxor>;
    case Arithmetic::affine: return combine<Arithmetic::affine>;
    }
    return nullptr;
}

} // namespace

Reduction::Reduction(const Operator& reduction, MPI_Datatype type, const Element& element, const Shape& shape) {
    if (!reduction.is_user_defined()) {
        handle_ = reduction.handle();
        return;
    }
    mpi::check(MPI_Op_create(function_of(reduction.arithmetic), reduction.commutes() ? 1 : 0, &handle_),
               "MPI_Op_create");
    operand_ = std::make_unique<Operand>(Operand{type, element, shape});
    operands().push_back(operand_.get());
}

Reduction::Reduction() = default;

Reduction::Reduction(Reduction&& other) noexcept
    : handle_(std::exchange(other.handle_, MPI_OP_NULL)), operand_(std::move(other.operand_)) {}

Reduction& Reduction::operator=(Reduction&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(operand_, other.operand_);
    return *this;
}

Reduction::~Reduction() {
    if (operand_) {
        std::erase(operands(), operand_.get());
        if (latest == operand_.get()) {
            latest = nullptr;
        }
        MPI_Op_free(&handle_);
    }
}

} // namespace ictus::operation

// `ictus-bench dims --up-to P`: the factors that the library's MPI_Dims_create finds, for whoever wants to compare them
// with the most balanced ones.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ictus::tool {

/// As JSON, for all numbers of processes from 1 to that of `words`, in two, three and four dimensions. Throws a usage
/// Error for other words.
[[nodiscard]] std::string dims(std::span<const std::string_view> words);

} // namespace ictus::tool

// Why a sample is not valid. Local knowledge of each rank; combined over the ranks after the loop, never inside it.
#pragma once

#include <cstdint>

namespace ictus {

using SampleFlags = std::uint16_t;

inline constexpr SampleFlags late_flag = 1;     ///< reached the start after the deadline
inline constexpr SampleFlags long_flag = 2;     ///< ended after its window
inline constexpr SampleFlags rejected_flag = 4; ///< its whole batch was taken again, with a longer window

/// Not about a sample and never recorded: the process synchronisation has ended the case, there is no repetition.
inline constexpr SampleFlags over_flag = 1 << 15;

} // namespace ictus

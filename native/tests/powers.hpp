// The depth of a binary tree, by which tests bound what adds up along it.
#pragma once

#include <bit>

/// The smallest k with 2^k >= n; n >= 1.
inline int ceil_log2(int n) { return std::bit_width(static_cast<unsigned>(n - 1)); }

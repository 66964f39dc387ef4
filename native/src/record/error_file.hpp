// error.RANK.json: why this rank failed, left in the launch folder for whoever collects the pieces.
#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>

namespace ictus::record {

/// The content of the file. `time_s` is in seconds since 1970, by which the first failure of a launch is found.
[[nodiscard]] std::string error_json(int rank, double time_s, std::string_view host, Error::Kind kind,
                                     std::string_view message);

/// Writes FOLDER/error.RANK.json with the time of now. Called while failing, so it never throws: false if the file
/// could not be written either.
bool write_error_file(const std::string& folder, int rank, std::string_view host, Error::Kind kind,
                      std::string_view message) noexcept;

} // namespace ictus::record

// Whole text files, there completely or not at all.
#pragma once

#include <string>
#include <string_view>

namespace ictus::record {

/// Writes `text` beside `path` under the name `path.partial`, syncs it, and renames it to `path`: a reader sees either
/// what was there before or all of the text. Throws a measurement Error that names the file and the reason; nothing
/// partial is left behind then.
void write_text_file(const std::string& path, std::string_view text);
/// The same where the environment variable `name` says where to: the Error is one of usage, and names that too.
void write_text_file_of(const std::string& name, const std::string& path, std::string_view text);

} // namespace ictus::record

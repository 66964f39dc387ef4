#include "record/file.hpp"

#include "base/error.hpp"
#include "record/output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>

#include <fcntl.h>
#include <unistd.h>

namespace ictus::record {

namespace {

/// Makes the rename itself durable. The file is complete either way, so a system that refuses to sync a folder is no
/// failure.
void sync_folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        ::fsync(descriptor);
        ::close(descriptor);
    }
}

void write_synced(const std::string& path, std::string_view text) {
    OutputFile file(path);
    file.write(std::as_bytes(std::span(text.data(), text.size())));
    file.sync();
    file.close();
}

} // namespace

void write_text_file(const std::string& path, std::string_view text) {
    const std::string partial = path + ".partial";
    try {
        write_synced(partial, text);
        if (std::rename(partial.c_str(), path.c_str()) != 0) {
            const int reason = errno;
            throw measurement_error("cannot rename " + partial + " to " + path + ": " + std::strerror(reason));
        }
    } catch (...) {
        ::unlink(partial.c_str());
        throw;
    }
    sync_folder_of(path);
}

void write_text_file_of(const std::string& name, const std::string& path, std::string_view text) {
    try {
        write_text_file(path, text);
    } catch (const Error& error) {
        throw usage_error("variable '" + name + "': " + error.what());
    }
}

} // namespace ictus::record

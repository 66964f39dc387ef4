#include "record/file.hpp"

#include "base/error.hpp"
#include "record/facts.hpp"
#include "record/json.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <span>
#include <unistd.h>
#include <utility>

namespace ictus::record {
namespace {

[[noreturn]] void fail(const char* verb, const std::string& path) {
    const int reason = errno;
    throw measurement_error(std::string("cannot ") + verb + " " + path + ": " + std::strerror(reason));
}

/// Repeats `put(rest, done)` until all bytes are gone: the system may take fewer at a time than it was given.
template <class Put>
void put_all(std::span<const std::byte> bytes, const std::string& path, Put put) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t written = put(bytes.subspan(done), done);
        if (written > 0) {
            done += static_cast<std::size_t>(written);
        } else if (written == 0 || errno != EINTR) {
            fail("write", path);
        }
    }
}

} // namespace

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) {
        fail("create", path_);
    }
}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

void OutputFile::write(std::span<const std::byte> bytes) {
    put_all(bytes, path_, [&](std::span<const std::byte> rest, std::size_t) {
        return ::write(descriptor_, rest.data(), rest.size());
    });
}

void OutputFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
    put_all(bytes, path_, [&](std::span<const std::byte> rest, std::size_t done) {
        return ::pwrite(descriptor_, rest.data(), rest.size(), static_cast<off_t>(offset + done));
    });
}

void OutputFile::sync() {
    if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) {
        fail("sync", path_);
    }
}

void OutputFile::close() {
    // No retry on EINTR: the first call releases the descriptor, and another thread may own it by the second.
    if (::close(std::exchange(descriptor_, -1)) != 0) {
        fail("close", path_);
    }
}

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

std::string error_json(int rank, double time_s, std::string_view host, std::string_view kind,
                       std::string_view message) {
    JsonWriter json;
    json.begin_object();
    json.member("rank", rank);
    json.member("time_s", time_s);
    json.member("host", host);
    json.member("kind", kind);
    json.member("message", message);
    json.end_object();
    return json.take(true);
}

bool write_error_file(const std::string& folder, int rank, std::string_view host, Error::Kind kind,
                      std::string_view message) noexcept {
    try {
        write_text_file(
            folder + "/error." + std::to_string(rank) + ".json",
            error_json(rank, unix_time_s(), host, kind == Error::Kind::usage ? "usage" : "measurement", message));
        return true;
    } catch (...) {
        return false;
    }
}

} // namespace ictus::record

#include "record/output_file.hpp"

#include "base/error.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

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
    // Not retried on EINTR: the descriptor is gone after the first call, and may be somebody else's by the second.
    if (::close(std::exchange(descriptor_, -1)) != 0) {
        fail("close", path_);
    }
}

} // namespace ictus::record

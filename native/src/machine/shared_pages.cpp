#include "machine/shared_pages.hpp"

#include <fcntl.h>
#include <linux/memfd.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace ictus::machine {
namespace {

std::byte* mapped(int file, std::size_t size_bytes) {
    void* const pages = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return pages == MAP_FAILED ? nullptr : static_cast<std::byte*>(pages);
}

/// 0: not known. No file has this number.
ino_t number_of(int file) {
    struct stat found{};
    return fstat(file, &found) == 0 ? found.st_ino : 0;
}

} // namespace

std::optional<SharedPages> SharedPages::create(std::size_t size_bytes) {
    // By its number, since the C library has a function for it only from glibc 2.27 on.
    const int file = static_cast<int>(syscall(SYS_memfd_create, "ictus", MFD_CLOEXEC));
    if (file < 0) {
        return std::nullopt;
    }
    SharedPages pages({getpid(), file, number_of(file)}, nullptr, size_bytes);
    // Unlike ftruncate, this takes the room now: without it full memory would kill the process at the first store.
    if (posix_fallocate(file, 0, static_cast<off_t>(size_bytes)) == 0) {
        pages.data_ = mapped(file, size_bytes);
    }
    return pages.data_ == nullptr ? std::nullopt : std::optional(std::move(pages));
}

std::optional<SharedPages> SharedPages::open(const Place& place, std::size_t size_bytes) {
    const std::string path = "/proc/" + std::to_string(place.process) + "/fd/" + std::to_string(place.file);
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) {
        return std::nullopt;
    }
    std::byte* const data = number_of(file) == place.number ? mapped(file, size_bytes) : nullptr;
    ::close(file);
    return data == nullptr ? std::nullopt
                           : std::optional(SharedPages({place.process, -1, place.number}, data, size_bytes));
}

SharedPages::~SharedPages() {
    close();
    if (data_ != nullptr) {
        munmap(data_, size_bytes_);
    }
}

SharedPages::SharedPages(SharedPages&& other) noexcept
    : place_(other.place_), data_(std::exchange(other.data_, nullptr)), size_bytes_(other.size_bytes_) {
    other.place_.file = -1;
}

SharedPages& SharedPages::operator=(SharedPages&& other) noexcept {
    std::swap(place_, other.place_);
    std::swap(data_, other.data_);
    std::swap(size_bytes_, other.size_bytes_);
    return *this;
}

void SharedPages::close() {
    if (place_.file >= 0) {
        ::close(std::exchange(place_.file, -1));
    }
}

void SharedPages::protect() { mprotect(data_, size_bytes_, PROT_READ); }

} // namespace ictus::machine

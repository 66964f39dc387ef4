// Pages that the processes of a host share. They have no name in any folder, so that a killed process leaves nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <sys/types.h>

namespace ictus::machine {

class SharedPages {
public:
    /// Where other processes of this host find the pages: among the open files of the one that made them.
    struct Place {
        pid_t process = 0;
        int file = -1;    ///< -1: there are none
        ino_t number = 0; ///< of the file: a process of this number in another container has other files
    };

    /// Makes `size_bytes` of zeros; absent where the system has no room for them.
    [[nodiscard]] static std::optional<SharedPages> create(std::size_t size_bytes);
    /// Those of another process of this host; absent where it is not seen, or has closed them.
    [[nodiscard]] static std::optional<SharedPages> open(const Place& place, std::size_t size_bytes);

    ~SharedPages();
    SharedPages(SharedPages&& other) noexcept;
    SharedPages& operator=(SharedPages&& other) noexcept;

    /// Its file is -1 but in the process that made them, until `close`.
    [[nodiscard]] const Place& place() const { return place_; }
    [[nodiscard]] std::byte* data() const { return data_; }
    [[nodiscard]] std::size_t size_bytes() const { return size_bytes_; }
    /// From now on nobody opens them. The pages stay until the last process that has them ends.
    void close();
    /// From now on a store of this process to them is a fault.
    void protect();

private:
    SharedPages(Place place, std::byte* data, std::size_t size_bytes)
        : place_(place), data_(data), size_bytes_(size_bytes) {}

    Place place_;
    std::byte* data_ = nullptr;
    std::size_t size_bytes_ = 0;
};

} // namespace ictus::machine

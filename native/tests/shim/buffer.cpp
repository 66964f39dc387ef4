// A test instrument: a library to preload that gives calls a temporary buffer, taken from the C library, written and
// freed in each call, so that tests show that calls which depend on the heap are found:
//     ICTUS_BUFFER         bytes of the buffer; without it nothing is taken
//     ICTUS_BUFFER_POOLED  if set, the buffer is taken once and kept: a library with a pool of its own
// MPI_Bcast has the buffer; every other call is the library's.
#include <mpi.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

std::size_t requested_bytes() {
    const char* const text = std::getenv("ICTUS_BUFFER");
    const std::string_view digits = text == nullptr ? "0" : text;
    std::size_t bytes = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
    if (error != std::errc() || end != digits.data() + digits.size()) {
        std::fprintf(stderr, "ictus-buffer: variable 'ICTUS_BUFFER', '%s': expected a number of bytes\n", text);
        std::_Exit(2);
    }
    return bytes;
}

void use_a_buffer() {
    static const std::size_t bytes = requested_bytes();
    static const bool is_pooled = std::getenv("ICTUS_BUFFER_POOLED") != nullptr;
    static void* pool = nullptr;
    if (bytes == 0) {
        return;
    }
    void* volatile buffer = pool != nullptr ? pool : std::malloc(bytes); // volatile: it must not be left out
    if (buffer == nullptr) {
        std::abort();
    }
    std::memset(buffer, 1, bytes);
    if (is_pooled) {
        pool = buffer;
    } else {
        std::free(buffer);
    }
}

} // namespace

extern "C" int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    use_a_buffer();
    return PMPI_Bcast(buffer, count, type, root, comm);
}

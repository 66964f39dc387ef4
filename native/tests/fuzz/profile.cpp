// What is fuzzed: the readers of both forms of a profile (redirect/profile.hpp).
#include "redirect/profile.hpp"
#include "base/error.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const std::string text(reinterpret_cast<const char*>(data), size);
        static_cast<void>(ictus::redirect::parse_profiles({{"profile", text}, {"second", text.substr(size / 2)}}));
    } catch (const ictus::Error&) { // a message is what is asked for
    }
    return 0;
}

// What is fuzzed: the reader of plans (tool/command_line.hpp), and what makes a plan of them for two ranks.
#include "base/error.hpp"
#include "tool/command_line.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        std::vector<std::string> notes;
        const auto request = ictus::tool::read_plan({reinterpret_cast<const char*>(data), size}, "plan");
        static_cast<void>(ictus::tool::make_plan(request, 2, notes));
    } catch (const ictus::Error&) { // a message is what is asked for
    }
    return 0;
}

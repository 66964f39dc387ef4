#include "record/error_file.hpp"

#include "record/file.hpp"
#include "record/json.hpp"
#include "record/wall_time.hpp"

namespace ictus::record {

std::string error_json(int rank, double time_s, std::string_view host, Error::Kind kind, std::string_view message) {
    JsonWriter json;
    json.begin_object();
    json.member("rank", rank);
    json.member("time_s", time_s);
    json.member("host", host);
    json.member("kind", kind == Error::Kind::usage ? "usage" : "measurement");
    json.member("message", message);
    json.end_object();
    return json.take(true);
}

bool write_error_file(const std::string& folder, int rank, std::string_view host, Error::Kind kind,
                      std::string_view message) noexcept {
    try {
        write_text_file(folder + "/error." + std::to_string(rank) + ".json",
                        error_json(rank, unix_time_s(), host, kind, message));
        return true;
    } catch (...) {
        return false;
    }
}

} // namespace ictus::record

// The JSON writer: exact texts, escaping, and misuse.
#include "check.hpp"
#include "record/json.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>

using ictus::record::append_json_string;
using ictus::record::JsonWriter;

namespace {

constexpr const char* replacement = "\xEF\xBF\xBD"; // U+FFFD

std::string in_json(std::string_view text) {
    std::string out;
    append_json_string(out, text);
    return out;
}

std::string number(auto value) { return JsonWriter().value(value).take(); }

} // namespace

TEST(nested_scopes_are_laid_out_as_documented) {
    JsonWriter json;
    json.begin_object();
    json.member("n", 2).member("name", "bcast").member("on", true);
    json.key("window_s").null();
    json.list("slope", std::vector<double>{0.0, -1.5e-6});
    json.key("empty").begin_array().end_array();
    json.key("cases").begin_array();
    json.begin_object(JsonWriter::Spacing::line).member("id", 0).key("deep").begin_object().member("x", 1).end_object();
    json.end_object();
    json.raw("{\"spliced\": true}");
    json.end_array();
    json.end_object();
    CHECK_EQ(std::string("{\n"
                         "  \"n\": 2,\n"
                         "  \"name\": \"bcast\",\n"
                         "  \"on\": true,\n"
                         "  \"window_s\": null,\n"
                         "  \"slope\": [0, -1.5e-06],\n"
                         "  \"empty\": [],\n"
                         "  \"cases\": [\n"
                         "    {\"id\": 0, \"deep\": {\"x\": 1}},\n"
                         "    {\"spliced\": true}\n"
                         "  ]\n"
                         "}\n"),
             json.take(true));
}

TEST(whole_numbers_keep_every_digit) {
    CHECK_EQ(std::string("-9223372036854775808"), number(std::numeric_limits<std::int64_t>::min()));
    CHECK_EQ(std::string("18446744073709551615"), number(std::numeric_limits<std::uint64_t>::max()));
    CHECK_EQ(std::string("255"), number(static_cast<unsigned char>(255)));
}

TEST(doubles_are_the_shortest_text_that_reads_back) {
    CHECK_EQ(std::string("0.1"), number(0.1));
    CHECK_EQ(std::string("1.25e-06"), number(1.25e-6));
    CHECK_EQ(std::string("1e+300"), number(1e300));
    CHECK_EQ(std::string("-0"), number(-0.0));
    for (const double value : {1.0 / 3.0, std::nextafter(1.0, 2.0), 5e-324, std::numeric_limits<double>::max()}) {
        CHECK_EQ(value, std::strtod(number(value).c_str(), nullptr));
    }
}

TEST(what_json_cannot_say_is_null) {
    CHECK_EQ(std::string("null"), number(std::nan("")));
    CHECK_EQ(std::string("null"), number(-std::numeric_limits<double>::infinity()));
    CHECK_EQ(std::string("null"), number(std::optional<int>()));
    CHECK_EQ(std::string("7"), number(std::optional<int>(7)));
}

TEST(control_characters_and_quotes_are_escaped) {
    CHECK_EQ(std::string(R"("say \"hi\" \\ \b\f\n\r\t")"), in_json("say \"hi\" \\ \b\f\n\r\t"));
    CHECK_EQ(std::string(R"("\u0000\u0001\u001f")"), in_json(std::string_view("\0\x01\x1f", 3)));
    CHECK_EQ(std::string("\"/\x7f\""), in_json("/\x7f"));
}

TEST(valid_utf8_passes_unchanged) {
    const std::string text =
        "µs \xED\x9F\xBF \xEE\x80\x80 \xF0\x90\x80\x80 \xF4\x8F\xBF\xBF"; // the edges of each length
    CHECK_EQ("\"" + text + "\"", in_json(text));
}

TEST(invalid_utf8_is_replaced_per_longest_possible_beginning) {
    const std::string bad = replacement;
    CHECK_EQ("\"" + bad + "a\"", in_json("\xFF"
                                         "a"));
    CHECK_EQ("\"" + bad + "a\"", in_json("\xE2\x82"
                                         "a"));                       // a cut character is one beginning
    CHECK_EQ("\"" + bad + "\"", in_json("\xF0\x90\x80"));             // cut by the end of the text
    CHECK_EQ("\"" + bad + bad + "\"", in_json("\xC0\x80"));           // overlong: the lead byte alone can begin nothing
    CHECK_EQ("\"" + bad + bad + bad + "\"", in_json("\xED\xA0\x80")); // a surrogate
    CHECK_EQ("\"" + bad + bad + bad + bad + "\"", in_json("\xF4\x90\x80\x80")); // above U+10FFFF
}

TEST(any_bytes_become_printable_valid_utf8) {
    std::uint64_t state = 1;
    for (int round = 0; round < 2000; ++round) {
        std::string bytes;
        for (int i = 0; i < 16; ++i) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            bytes += static_cast<char>(state >> 56);
        }
        const std::string once = in_json(bytes);
        for (const char c : once) {
            CHECK(static_cast<unsigned char>(c) >= 0x20);
        }
        // What was made is valid, so that quoting its inside again, quotes and backslashes aside, changes nothing.
        std::string inside;
        for (const char c : once) {
            inside += c == '"' || c == '\\' ? '.' : c;
        }
        CHECK_EQ("\"" + inside + "\"", in_json(inside));
    }
}

TEST(misuse_is_refused) {
    CHECK_THROWS(JsonWriter().key("a"), "outside of an object");
    CHECK_THROWS(JsonWriter().begin_object().value(1), "without its key");
    CHECK_THROWS(JsonWriter().begin_object().key("a").key("b"), "another key");
    CHECK_THROWS(JsonWriter().begin_object().key("a").end_object(), "without its value");
    CHECK_THROWS(JsonWriter().begin_object().end_array(), "closes nothing");
    CHECK_THROWS(JsonWriter().end_object(), "closes nothing");
    CHECK_THROWS(JsonWriter().value(1).value(2), "beside the root");
    CHECK_THROWS(JsonWriter().raw(""), "no value");
    CHECK_THROWS(JsonWriter().begin_array().take(), "before everything was closed");
    CHECK_THROWS(JsonWriter().take(), "nothing was written");
}

TEST(long_lists_of_numbers_become_arrays_where_that_is_shorter) {
    // 256 doubles 0.1 take 256 * 3 + 255 * 2 + 2 = 1,280 characters as a list, and 4 * ceil(2048 / 3) + 10 = 2,742 as
    // an array; 256 of 17 digits take 21 each.
    const auto written = [](auto content) {
        JsonWriter json;
        json.begin_object(JsonWriter::Spacing::line).numbers("x", content).end_object();
        return json.take();
    };
    CHECK_EQ(std::size_t{1280 + 7}, written(std::vector<double>(256, 0.1)).size());
    const std::string array = written(std::vector<double>(256, -1.2345678901234567e-7));
    CHECK_EQ(std::size_t{2742 + 7}, array.size());
    CHECK_EQ(std::string("{\"x\": {\"f8\": \""), array.substr(0, 14));
    CHECK_EQ(std::string("=\"}}"), array.substr(array.size() - 4)); // 2,048 bytes: two more than a multiple of three
    CHECK(written(std::vector<double>(255, -1.2345678901234567e-7)).find('[') != std::string::npos);
    // 1 and 2 as <i4 are 01 00 00 00 02 00 00 00: AQAA AAIA AAA=; 16383 is /z8A AA
    std::vector<int> ranks(256, 16383);
    ranks[0] = 1;
    ranks[1] = 2;
    CHECK_EQ(std::string("{\"x\": {\"i4\": \"AQAAAAIAAAD/PwAA/z8AAP8/"), written(ranks).substr(0, 38));
}

TEST(of_more_ranks_results_of_studies_have_half_the_bytes) {
    // What a number of 17 digits takes in each: two numbers of 16,384 and 1,024 ranks, so that no name counts.
    const auto bytes_of = [](std::size_t n_ranks, bool packed) {
        std::vector<double> errors_s(n_ranks, -1.2345678901234567e-07);
        JsonWriter json;
        json.begin_object();
        packed ? json.numbers("error_s", errors_s) : json.list("error_s", errors_s);
        json.end_object();
        return json.take().size();
    };
    const auto a_rank = [&](bool packed) {
        return static_cast<double>(bytes_of(16384, packed) - bytes_of(1024, packed)) / (16384 - 1024);
    };
    std::printf("%.1f bytes a number, %.1f in a list\n", a_rank(true), a_rank(false));
    CHECK(std::abs(a_rank(true) - 32.0 / 3.0) < 0.01);
    CHECK(std::abs(a_rank(false) - 25.0) < 0.01);
}

#include "base/spec.hpp"
#include "check.hpp"

using namespace ictus;

TEST(a_name_alone_has_no_arguments) {
    CHECK(parse_spec("hca3") == (Spec{"hca3", {}}));
    CHECK(parse_spec("  hca3 ( ) ") == (Spec{"hca3", {}}));
}

TEST(arguments_are_positional_named_or_nested) {
    const Spec expected{"a", {{"", {"1", {}}}, {"key", {"5us", {}}}, {"b", {"c", {{"d", {"2", {}}}}}}}};
    CHECK(parse_spec("a(1,key=5us,b=c(d=2))") == expected);
    CHECK_EQ(std::string("a(1,key=5us,b=c(d=2))"), to_string(expected));
}

TEST(blanks_change_nothing) { CHECK(parse_spec("a(b=c(1),d)") == parse_spec(" a ( b = c( 1 ) , d ) ")); }

TEST(errors_show_the_text_and_the_position) {
    CHECK_THROWS(parse_spec("a(b"), "'a(b': expected ',' or ')' at position 4");
    CHECK_THROWS(parse_spec(""), "expected a name or a value at position 1");
    CHECK_THROWS(parse_spec("a)"), "unexpected ')' at position 2");
    CHECK_THROWS(parse_spec("a(b(c)=1)"), "a key takes no parentheses");
    CHECK_THROWS(parse_spec("a(,b)"), "expected a name or a value");
    CHECK_THROWS(parse_spec("a(b=)"), "expected a name or a value");
}

TEST(a_thousand_parentheses_are_an_error_and_no_crash) {
    std::string text;
    for (int i = 0; i < 1000; ++i) {
        text += "a(";
    }
    CHECK_THROWS(parse_spec(text), "nested too deeply");
}

TEST(lists_are_split_at_top_level_commas_only) {
    const auto parts = split_list("a(b,c), d ,e(f(g,h),i)");
    CHECK_EQ(std::size_t{3}, parts.size());
    CHECK_EQ(std::string("a(b,c)"), parts[0]);
    CHECK_EQ(std::string("d"), parts[1]);
    CHECK_EQ(std::string("e(f(g,h),i)"), parts[2]);
    CHECK_THROWS(split_list("a,,b"), "empty");
    CHECK_THROWS(split_list(""), "empty");
}

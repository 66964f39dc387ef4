#include "base/parameter.hpp"
#include "check.hpp"

using namespace ictus;

namespace {

const FamilyInfo& inner_family();

constexpr Parameter ping_parameters[] = {
    {.name = "exchanges",
     .type = Parameter::Type::count,
     .default_value = "100",
     .help = "",
     .minimum = 1,
     .maximum = 1000},
    {.name = "shared", .type = Parameter::Type::flag, .default_value = "off", .help = ""},
};
constexpr Parameter outer_parameters[] = {
    {.name = "inner",
     .type = Parameter::Type::member,
     .default_value = "ping(exchanges=20)",
     .help = "",
     .family = &inner_family},
    {.name = "other", .type = Parameter::Type::member, .default_value = "ping", .help = "", .family = &inner_family},
    {.name = "span",
     .type = Parameter::Type::duration,
     .default_value = "auto",
     .help = "",
     .minimum = 0,
     .allows_auto = true},
    {.name = "kind", .type = Parameter::Type::choice, .default_value = "rank", .help = "", .choices = "rank host"},
};
constexpr Parameter single_parameters[] = {
    {.name = "inner",
     .type = Parameter::Type::member,
     .default_value = "ping(exchanges=20)",
     .help = "",
     .family = &inner_family},
};
constexpr Parameter worded_parameters[] = {
    {.name = "rate",
     .type = Parameter::Type::real,
     .default_value = "slow",
     .help = "",
     .minimum = 1,
     .choices = "slow fast"},
};
constexpr Parameter listing_parameters[] = {
    {.name = "points", .type = Parameter::Type::list, .default_value = "at(1),at(-1)", .help = ""},
    {.name = "shared", .type = Parameter::Type::flag, .default_value = "off", .help = ""},
};
constexpr MemberInfo listing{"listing", "", "", listing_parameters};
constexpr MemberInfo ping{"ping", "", "", ping_parameters};
constexpr MemberInfo outer{"outer", "", "", outer_parameters};
constexpr MemberInfo single{"single", "", "", single_parameters};
constexpr MemberInfo worded{"worded", "", "", worded_parameters};

const FamilyInfo& inner_family() {
    static const FamilyInfo family{"inner", "", {&ping}};
    return family;
}
const FamilyInfo& family() {
    static const FamilyInfo all{"outer-family", "", {&outer, &single, &worded, &listing}};
    return all;
}

Bound bound(const std::string& text) { return bind(family(), parse_spec(text)); }
std::string full(const std::string& text) { return to_string(bound(text).spec()); }

} // namespace

TEST(defaults_are_filled_in_and_the_full_form_names_everything) {
    CHECK_EQ(std::string(
                 "outer(inner=ping(exchanges=20,shared=off),other=ping(exchanges=100,shared=off),span=auto,kind=rank)"),
             full("outer"));
}

TEST(values_are_found_by_name_with_their_type) {
    const Bound made = bound("outer(ping(7),span=5ms,kind=host)");
    CHECK_EQ(std::uint64_t{7}, made.member("inner").count("exchanges"));
    CHECK_NEAR(0.005, made.real("span"), 1e-15);
    CHECK_EQ(std::string("host"), made.text("kind"));
    CHECK(!made.member("inner").flag("shared"));
    CHECK(bound("outer").is_auto("span"));
}

TEST(a_key_of_one_nested_member_is_handed_on_and_beats_its_default) {
    CHECK_EQ(std::string("single(inner=ping(exchanges=5,shared=off))"), full("single(exchanges=5)"));
}

TEST(a_key_of_several_nested_members_must_be_written_inside_one) {
    CHECK_THROWS(bound("outer(exchanges=5)"), "belongs to several");
}

TEST(a_key_given_inside_and_outside_is_given_twice) {
    CHECK_THROWS(bound("single(inner=ping(exchanges=3),exchanges=5)"), "is given twice");
}

TEST(a_number_may_have_words_beside_it) {
    CHECK(bound("worded").is_word("rate"));
    CHECK(!bound("worded(rate=2.5)").is_word("rate"));
    CHECK_EQ(2.5, bound("worded(rate=2.5)").real("rate"));
    CHECK_THROWS(bound("worded(rate=fats)"), "'fats' is not a number, nor one of slow fast");
    CHECK_THROWS(bound("worded(rate=0.5)"), "below the least value 1");
}

TEST(errors_name_what_is_known) {
    CHECK_THROWS(bound("outre"), "unknown outer-family 'outre'; known are outer, single, worded, listing");
    CHECK_THROWS(bound("outer(spam=1)"),
                 "outer-family 'outer': unknown parameter 'spam'; known are inner, other, span, kind");
    CHECK_THROWS(bound("outer(inner=pong)"), "unknown inner 'pong'; known are ping");
    CHECK_THROWS(bound("outer(kind=socket)"), "'socket' is not one of rank host");
    CHECK_THROWS(bound("single(exchanges=0)"), "0 is below the least value 1");
    CHECK_THROWS(bound("single(exchanges=1001)"), "1001 is above the greatest value 1000");
    CHECK_THROWS(bound("single(exchanges=ten)"), "not a whole number");
    CHECK_THROWS(bound("outer(ping,ping,1s,rank,extra)"), "too many arguments ('extra')");
    CHECK_THROWS(bound("outer(span=1s,ping)"), "positional arguments come before named ones");
    CHECK_THROWS(bound("outer(span=1s(2))"), "takes no arguments");
    CHECK_THROWS(bound("outer(span=1s,span=2s)"), "is given twice");
}

TEST(a_list_takes_all_positional_arguments) {
    const auto full = [](const char* text) { return to_string(bind(family(), parse_spec(text)).spec()); };
    CHECK_EQ("listing(at(1),at(-1),shared=off)", full("listing"));
    CHECK_EQ("listing(at(1,0),7,x,shared=on)", full("listing(at(1, 0), 7, x, shared=on)"));
    CHECK_EQ("listing(3,shared=off)", full(full("listing(3)").c_str()));
    const Bound bound = bind(family(), parse_spec("listing(at(2),5)"));
    CHECK_EQ(std::size_t{2}, bound.list("points").size());
    CHECK_EQ("at(2)", to_string(bound.list("points")[0]));
    CHECK_EQ("5", to_string(bound.list("points")[1]));
    CHECK_THROWS(full("listing(points=3)"), "the values of 'points' are written without it: listing(at(1),at(-1))");
}

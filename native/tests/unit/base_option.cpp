// Options are read by type, with their defaults; wrong values and names are refused by name.
#include "base/option.hpp"
#include "check.hpp"

using namespace ictus;

namespace {

constexpr Option table[] = {
    option::count("repeats", "10", "how often", {1, 100}),
    option::duration("waits", "2s,1s", "when", {0, 3600}).list().spelled("wait"),
    option::real("sample", "0.5", "share", {0, 1}),
    option::choice("truth", "auto", "which", "auto known"),
    option::size("interval", "none", "bytes", {.minimum = 1}).or_words("none"),
    option::duration("bound", "auto", "how exact").or_auto(),
    option::flag("validate", "on", "whether"),
};

OptionValues given(std::string_view name, std::string_view value) {
    OptionValues values(table);
    values.set(name, value, "option");
    return values;
}

} // namespace

TEST(without_a_value_the_default_is_read) {
    const OptionValues values(table);
    CHECK_EQ(std::uint64_t{10}, values.count("repeats"));
    CHECK((std::vector<double>{1.0, 2.0}) == values.durations("waits"));
    CHECK_EQ(0.5, values.real("sample"));
    CHECK_EQ(std::string("auto"), values.text("bound"));
    CHECK(values.flag("validate"));
    CHECK(!values.is_given("validate"));
    CHECK_EQ(std::size(table), values.all().size());
}

TEST(a_value_replaces_its_default_under_either_spelling) {
    const OptionValues values = given("wait", "3s,1ms,3s");
    CHECK((std::vector<double>{1e-3, 3.0}) == values.durations("waits"));
    CHECK((std::vector<std::string>{"3s", "1ms", "3s"}) == values.words("waits"));
    CHECK(values.is_given("waits"));
    CHECK_EQ(std::string("3s,1ms,3s"), values.all()[1].second);
    CHECK(!given("validate", "off").flag("validate"));
}

TEST(wrong_values_name_the_option_and_what_is_allowed) {
    CHECK_THROWS(given("repeats", "0"), "option 'repeats': 0 is below the least value 1");
    CHECK_THROWS(given("waits", "1s,x"), "option 'waits': 'x' is not a time");
    CHECK_THROWS(given("truth", "no"), "option 'truth': 'no' is not one of auto known");
    CHECK_THROWS(given("interval", "some"), "option 'interval'");
    CHECK_THROWS(given("repeat", "1"), "unknown option 'repeat'; known are repeats, waits, sample");
    OptionValues values = given("wait", "1s");
    CHECK_THROWS(values.set("waits", "1s", "option"), "option 'waits' is given twice");
}

TEST(what_is_not_declared_is_not_read) {
    const OptionValues values(table);
    CHECK(!values.declares("seed"));
    CHECK_THROWS((void)values.text("seed"), "undeclared option 'seed'");
}

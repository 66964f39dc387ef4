#include "interface/harmonized_communicator.hpp"

#include "base/defaults.hpp"
#include "base/error.hpp"
#include "clock/clock.hpp"
#include "harmonize/settings.hpp"
#include "mpi/agreement.hpp"
#include "mpi/handles.hpp"
#include "procsync/procsync.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace ictus {
namespace {

constexpr std::string_view key_prefix = "ictus_harmonize_";

constexpr Parameter clock_parameter = {.name = "clock",
                                       .type = Parameter::Type::member,
                                       .default_value = defaults::clock,
                                       .help = "the clock that is read",
                                       .family = &clock::family};

std::vector<const Parameter*> all_parameters() {
    std::vector<const Parameter*> all;
    for (const Parameter& one : harmonize::parameters) {
        all.push_back(&one);
    }
    all.push_back(&clock_parameter);
    return all;
}

std::string key_of(const Parameter& parameter) { return std::string(key_prefix) + std::string(parameter.name); }

std::string variable_of(const Parameter& parameter) {
    std::string name = key_of(parameter);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    return name;
}

std::vector<std::string> keys_in(MPI_Info info) {
    int count = 0;
    mpi::check(MPI_Info_get_nkeys(info, &count), "MPI_Info_get_nkeys");
    std::vector<std::string> keys;
    for (int i = 0; i < count; ++i) {
        char key[MPI_MAX_INFO_KEY + 1] = {};
        mpi::check(MPI_Info_get_nthkey(info, i, key), "MPI_Info_get_nthkey");
        keys.emplace_back(key);
    }
    return keys;
}

std::string value_in(MPI_Info info, const std::string& key) {
    int length = 0;
    int there = 0;
    mpi::check(MPI_Info_get_valuelen(info, key.c_str(), &length, &there), "MPI_Info_get_valuelen");
    std::string value(static_cast<std::size_t>(length) + 1, '\0');
    mpi::check(MPI_Info_get(info, key.c_str(), length, value.data(), &there), "MPI_Info_get");
    value.resize(static_cast<std::size_t>(length));
    return value;
}

std::string list_of_keys() {
    std::string keys;
    for (const Parameter* one : all_parameters()) {
        keys += (keys.empty() ? "" : " ") + std::string(one->name);
    }
    return keys;
}

} // namespace

HarmonizeConstants HarmonizeConstants::read(MPI_Comm comm) {
    HarmonizeConstants constants;
    for (const Parameter* one : all_parameters()) {
        const std::string variable = variable_of(*one);
        if (const char* value = std::getenv(variable.c_str()); value != nullptr) {
            constants.set(*one, value, "environment variable " + variable);
        }
    }
    MPI_Info hints = MPI_INFO_NULL;
    mpi::check(MPI_Comm_get_info(comm, &hints), "MPI_Comm_get_info");
    try {
        constants.merge(hints);
    } catch (...) {
        MPI_Info_free(&hints);
        throw;
    }
    MPI_Info_free(&hints);
    return constants;
}

void HarmonizeConstants::merge(MPI_Info info) {
    if (info == MPI_INFO_NULL) {
        return;
    }
    const std::vector<const Parameter*> all = all_parameters();
    for (const std::string& key : keys_in(info)) {
        if (key.compare(0, key_prefix.size(), key_prefix) != 0) {
            continue;
        }
        const auto own =
            std::find_if(all.begin(), all.end(), [&](const Parameter* one) { return key_of(*one) == key; });
        if (own == all.end()) {
            throw usage_error("info key '" + key + "' is unknown; after " + std::string(key_prefix) + " may come " +
                              list_of_keys());
        }
        set(**own, value_in(info, key), "info key " + key);
    }
}

void HarmonizeConstants::set(const Parameter& parameter, const std::string& value, const std::string& from) {
    check_value(parameter, value, from);
    const auto there =
        std::find_if(set_.begin(), set_.end(), [&](const auto& one) { return one.first == parameter.name; });
    if (there == set_.end()) {
        set_.emplace_back(parameter.name, value);
    } else {
        there->second = value;
    }
}

Bound HarmonizeConstants::procsync() const {
    Spec spec{"harmonize", {}};
    for (const auto& [name, value] : set_) {
        if (name != clock_parameter.name) {
            spec.arguments.push_back({name, parse_spec(value)});
        }
    }
    return bind(procsync::family(), spec);
}

Bound HarmonizeConstants::clock() const {
    std::string text(clock_parameter.default_value);
    for (const auto& [name, value] : set_) {
        text = name == clock_parameter.name ? value : text;
    }
    return bind(clock::family(), parse_spec(text));
}

std::vector<std::pair<std::string, std::string>> HarmonizeConstants::by_key() const {
    std::vector<std::pair<std::string, std::string>> all;
    for (const Argument& one : procsync().spec().arguments) {
        all.emplace_back(std::string(key_prefix) + one.key, to_string(one.value));
    }
    all.emplace_back(key_of(clock_parameter), to_string(clock().spec()));
    return all;
}

std::string HarmonizeConstants::text() const {
    std::string lines;
    for (const auto& [name, value] : set_) {
        lines += name + '\n' + value + '\n';
    }
    return lines;
}

HarmonizeConstants HarmonizeConstants::from_text(const std::string& text) {
    HarmonizeConstants constants;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t middle = text.find('\n', begin);
        const std::size_t end = text.find('\n', middle + 1);
        constants.set_.emplace_back(text.substr(begin, middle - begin), text.substr(middle + 1, end - middle - 1));
        begin = end + 1;
    }
    return constants;
}

namespace {

CommAttribute& attribute() {
    static CommAttribute one;
    return one;
}

/// Rank 0's, read without error on all ranks. Values may contradict each other though each is valid.
HarmonizeConstants agreed_constants(MPI_Comm comm, const HarmonizeConstants& own) {
    HarmonizeConstants constants = HarmonizeConstants::from_text(mpi::text_of_root(comm, own.text()));
    (void)harmonize::HarmonizeSettings(constants.procsync());
    return constants;
}

} // namespace

HarmonizedCommunicator* HarmonizedCommunicator::find(MPI_Comm comm) {
    return static_cast<HarmonizedCommunicator*>(attribute().find(comm));
}

HarmonizedCommunicator& HarmonizedCommunicator::of(MPI_Comm comm) {
    if (HarmonizedCommunicator* there = find(comm); there != nullptr) {
        return *there;
    }
    const HarmonizeConstants own = mpi::agreed(comm, [&] { return HarmonizeConstants::read(comm); });
    return make(comm, agreed_constants(comm, own));
}

void HarmonizedCommunicator::set(MPI_Comm comm, MPI_Info info) {
    const HarmonizedCommunicator* there = find(comm);
    const HarmonizeConstants own = mpi::agreed(comm, [&] {
        HarmonizeConstants constants = there != nullptr ? there->constants_ : HarmonizeConstants::read(comm);
        constants.merge(info);
        return constants;
    });
    make(comm, agreed_constants(comm, own));
}

HarmonizedCommunicator& HarmonizedCommunicator::make(MPI_Comm comm, HarmonizeConstants constants) {
    std::unique_ptr<HarmonizedCommunicator> made(new HarmonizedCommunicator(comm, std::move(constants)));
    HarmonizedCommunicator& one = *made;
    attribute().attach(comm, std::move(made));
    return one;
}

HarmonizedCommunicator::HarmonizedCommunicator(MPI_Comm comm, HarmonizeConstants constants)
    : constants_(std::move(constants)), communicator_(comm, constants_.clock()),
      harmonizer_(communicator_.transport(), harmonize::HarmonizeSettings(constants_.procsync())) {}

} // namespace ictus

#include "redirect/pgmpi.hpp"

#include "base/error.hpp"
#include "redirect/profile.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

namespace ictus::redirect {
namespace {

constexpr std::int64_t largest_int = INT32_MAX; // it reads sizes into ints
constexpr std::string_view own_choice = "default";
constexpr std::string_view comment = "#";

/// PGMPITuneLib's names of mock-ups, and ours; we have no others.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> pgmpi_names = {{
    {"allgather_as_allreduce", "allgather_as_allreduce"},
    {"allgather_as_alltoall", "allgather_as_alltoall"},
    {"allgather_as_gather_bcast", "allgather_as_gather_and_bcast"},
    {"allreduce_as_reduce_bcast", "allreduce_as_reduce_and_bcast"},
    {"allreduce_as_reducescatterblock_allgather", "allreduce_as_reduce_scatter_block_and_allgather"},
    {"bcast_as_scatter_allgather", "bcast_as_scatter_and_allgather"},
    {"gather_as_allgather", "gather_as_allgather"},
    {"gather_as_reduce", "gather_as_reduce"},
    {"reduce_as_allreduce", "reduce_as_allreduce"},
    {"reduce_as_reducescatterblock_gather", "reduce_as_reduce_scatter_block_and_gather"},
    {"reduce_as_reducescatter_gatherv", "reduce_as_reduce_scatter_and_gatherv"},
    {"reducescatterblock_as_reduce_scatter", "reduce_scatter_block_as_reduce_and_scatter"},
    {"scan_as_exscan_reducelocal", "scan_as_exscan_and_reduce_local"},
    {"scatter_as_bcast", "scatter_as_bcast"},
}};

constexpr std::array<std::string_view, 5> counted_in_blocks = {"allgather", "gather", "reduce_scatter",
                                                               "reduce_scatter_block", "scatter"};

/// The lines of one text that are not empty, one after another.
class PgmpiLines {
public:
    PgmpiLines(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    /// The next one without its comment, and its number in `at`; empty where there is none.
    std::string_view next() {
        while (begin_ <= text_.size()) {
            const std::size_t end = std::min(text_.find('\n', begin_), text_.size());
            const std::string_view line = text_.substr(begin_, end - begin_);
            begin_ = end + 1;
            ++number_;
            if (const std::string_view content = trimmed(line.substr(0, line.find(comment))); !content.empty()) {
                at = number_;
                return content;
            }
        }
        ++at;
        return "";
    }
    std::vector<std::string_view> words(const std::string& what, std::string_view& line) {
        line = next();
        if (line.empty()) {
            throw error("the text ends before " + what);
        }
        return words_of(line, line.size());
    }
    int number(const std::string& what) {
        std::string_view line;
        return whole(words(what, line).front(), what, 1);
    }
    [[nodiscard]] int whole(std::string_view word, const std::string& what, std::int64_t least) const {
        std::int64_t value = -1;
        const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (code != std::errc() || end != word.data() + word.size() || word.size() > 10 || word.front() == '-' ||
            value < least || value > largest_int) {
            throw error(what + " " + quoted(word) + " is not a whole number from " + std::to_string(least) + " to " +
                        std::to_string(largest_int));
        }
        return static_cast<int>(value);
    }
    [[nodiscard]] std::string communicator() const { return name_ + ", line " + std::to_string(at) + ": "; }
    [[nodiscard]] Error error(const std::string& what) const { return usage_error(communicator() + what); }

    int at = 0;

private:
    std::string_view text_;
    const std::string& name_;
    std::size_t begin_ = 0;
    int number_ = 0;
};

/// MPI's name: MPI_Reduce_scatter.
std::string mpi_name(std::string_view operation) {
    std::string name = "MPI_" + std::string(operation);
    name[4] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[4])));
    return name;
}

/// Of the collective with this name of MPI; empty: there are no mock-ups of it.
std::string_view operation_of(std::string_view name) {
    for (const mockup::Algorithm* const one : substitutes("")) {
        if (mpi_name(one->stands_for) == name) {
            return one->stands_for;
        }
    }
    return "";
}

/// Null: we have none.
const mockup::Algorithm* ours(std::string_view operation, std::string_view theirs) {
    for (const mockup::Algorithm* const one : substitutes(operation)) {
        if (std::ranges::find(pgmpi_names, std::pair{theirs, one->name}) != pgmpi_names.end()) {
            return one;
        }
    }
    return nullptr;
}

struct NumberedMockup {
    int id;
    const mockup::Algorithm* mockup;
};

NumberedMockup read_algorithm(PgmpiLines& lines, std::string_view operation, std::vector<std::string>& remarks) {
    std::string_view line;
    const auto words = lines.words("the algorithms that were announced", line);
    if (words.size() != 2) {
        throw lines.error(quoted(line) + " is not 'id name'");
    }
    const NumberedMockup made{lines.whole(words[0], "id", 0), ours(operation, words[1])};
    if (made.mockup == nullptr && words[1] != own_choice) {
        remarks.push_back(lines.communicator() + "there is no mock-up " + quoted(words[1]) + " of " +
                          std::string(operation) + " here: its sizes are left to the library");
    }
    return made;
}

PgmpiRange read_range(PgmpiLines& lines, const std::vector<NumberedMockup>& names, std::string_view operation, int n) {
    std::string_view line;
    const auto words = lines.words("the ranges that were announced", line);
    if (words.size() != 3) {
        throw lines.error(quoted(line) + " is not 'from to id'");
    }
    const int first = lines.whole(words[0], "from", 0);
    const int last = lines.whole(words[1], "to", 0);
    const int id = lines.whole(words[2], "id", 0);
    const auto found = std::ranges::find(names.rbegin(), names.rend(), id, &NumberedMockup::id);
    if (found == names.rend()) {
        throw lines.error("id " + std::to_string(id) + " was not announced");
    }
    if (first > last) {
        throw lines.error("from " + std::to_string(first) + " is above to " + std::to_string(last));
    }
    const bool in_blocks = std::ranges::find(counted_in_blocks, operation) != counted_in_blocks.end();
    const auto per_block = static_cast<std::uint64_t>(in_blocks ? n : 1);
    return {operation,
            n,
            static_cast<std::uint64_t>(first) * per_block,
            static_cast<std::uint64_t>(last) * per_block,
            found->mockup,
            lines.at};
}

} // namespace

bool is_pgmpi(std::string_view text) {
    const std::string nobody;
    return PgmpiLines(text, nobody).next().starts_with("MPI_");
}

PgmpiProfile parse_pgmpi(std::string_view text, const std::string& name) {
    PgmpiLines lines(text, name);
    PgmpiProfile profile;
    std::string_view line;
    const std::string_view collective = lines.words("MPI's name of the collective", line).front();
    const std::string_view operation = operation_of(collective);
    if (operation.empty()) {
        profile.remarks.push_back(lines.communicator() + "there is no mock-up of " + quoted(collective) +
                                  " here: it is left to the library");
        return profile;
    }
    const int n = lines.number("the number of processes");
    std::vector<NumberedMockup> names;
    for (int left = lines.number("the number of algorithms"); left > 0; --left) {
        names.push_back(read_algorithm(lines, operation, profile.remarks));
    }
    for (int left = lines.number("the number of ranges"); left > 0; --left) {
        profile.ranges.push_back(read_range(lines, names, operation, n));
    }
    if (const std::string_view more = lines.next(); !more.empty()) {
        throw lines.error(quoted(more) + " comes after the last range that was announced");
    }
    return profile;
}

} // namespace ictus::redirect

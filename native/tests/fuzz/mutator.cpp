// A main for what is fuzzed where libFuzzer is not: changes the files of a corpus at random from a seed. `make test`
// has it for some seconds; libFuzzer, with the sanitizers, for ten minutes each in `make test-long`.
//     PROGRAM CORPUS SEED RUNS
#include "base/random.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using ictus::SplitMix64;

std::vector<std::string> read(const std::filesystem::path& folder) {
    std::set<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        paths.insert(entry.path());
    }
    std::vector<std::string> texts;
    for (const auto& path : paths) {
        std::ifstream file(path, std::ios::binary);
        texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return texts;
}

/// A piece of a text; of one to forty bytes, or from one blank to the next.
std::string piece(SplitMix64& random, const std::string& text) {
    const std::size_t from = random.below(text.size());
    const std::size_t end = text.find_first_of(" \n=(,", from + 1);
    return text.substr(from, random.below(2) == 0 ? end - from : 1 + random.below(40));
}

void mutate(SplitMix64& random, std::string& text, const std::vector<std::string>& corpus) {
    static const std::vector<std::string> odd{
        "-1", "18446744073709551616", "1e308", "nan", "inf", "0", "((((", "))", "\n", "\xff", "=", "9999999999"};
    if (text.empty()) {
        text = corpus[random.below(corpus.size())];
    }
    const std::size_t at = random.below(text.size());
    const std::size_t length = std::min<std::size_t>(1 + random.below(12), text.size() - at);
    switch (random.below(6)) {
    case 0: text[at] = static_cast<char>(random.next()); break;
    case 1: text.erase(at, length); break;
    case 2: text.insert(at, text.substr(at, length)); break;
    case 3: text.insert(at, piece(random, corpus[random.below(corpus.size())])); break;
    case 4: text.replace(at, length, odd[random.below(odd.size())]); break;
    default: text.insert(at, std::string(1 + random.below(64), text[at])); break;
    }
}

} // namespace

int main(int n_words, char** words) {
    if (n_words != 4) {
        std::fprintf(stderr, "usage: %s CORPUS SEED RUNS\n", words[0]);
        return 2;
    }
    const std::vector<std::string> corpus = read(words[1]);
    SplitMix64 random(std::stoull(words[2]));
    const std::uint64_t runs = std::stoull(words[3]);
    for (std::uint64_t run = 0; run < runs; ++run) {
        std::string text = corpus[random.below(corpus.size())];
        for (std::uint64_t n = random.below(6); n-- > 0;) { // also none
            mutate(random, text, corpus);
        }
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    }
    std::printf("%llu runs\n", static_cast<unsigned long long>(runs));
}

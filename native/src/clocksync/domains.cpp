#include "clocksync/domains.hpp"

#include "base/quantity.hpp"
#include "clockmath/hull.hpp"
#include "offset/ping_pong.hpp"
#include "transport/control.hpp"
#include "transport/sub_transport.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ictus {

std::vector<int> leaders_by_key(std::span<const std::int64_t> keys) {
    using First = std::pair<std::int64_t, int>;
    std::vector<First> firsts; // ascending: where keys do, each new one is put at the end
    std::vector<int> leader_of;
    leader_of.reserve(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i > 0 && keys[i] == keys[i - 1]) {
            leader_of.push_back(leader_of.back());
            continue;
        }
        const bool beyond = firsts.empty() || firsts.back().first < keys[i];
        auto place = beyond ? firsts.end() : std::ranges::lower_bound(firsts, keys[i], {}, &First::first);
        if (place == firsts.end() || place->first != keys[i]) {
            place = firsts.insert(place, {keys[i], static_cast<int>(i)});
        }
        leader_of.push_back(place->second);
    }
    return leader_of;
}

namespace clocksync {

namespace {

/// The domain of one rank; sent as plain bytes.
struct RankDomain {
    int rank = 0;
    int leader = 0;
    int refuted = -1; ///< the leader whose counter it does not read; -1: none
    ClockOffset offset{};
    double bound = 0.0;
};

/// What all exchanges together prove of member minus leader.
Interval<ClockOffset> measure_against(Transport& transport, int leader, std::uint64_t exchanges) {
    constexpr double endless = std::numeric_limits<double>::infinity();
    Interval<ClockOffset> proven{ClockOffset(-endless), ClockOffset(endless)};
    for (std::uint64_t i = 0; i < exchanges; ++i) {
        const offset::RoundTrip one = offset::ping(transport, leader, offset::Receiving::polling);
        proven.low = std::max(proven.low, one.lower());
        proven.high = std::min(proven.high, one.upper());
    }
    return proven;
}

/// One claimed domain, or its rest: the first of `candidates` leads, the others are checked against it.
class ClaimCheck {
public:
    ClaimCheck(Transport& transport, const DomainCheck& check, std::vector<int> candidates)
        : transport_(transport), check_(check), candidates_(std::move(candidates)),
          failed_(candidates_.size(), std::uint8_t{0}) {}

    /// The member's part. False: it does not read the leader's counter, and `verdict` has the offset.
    bool take(RankDomain& own) {
        const double step = shortest_step(transport_);
        const LocalTime begin = transport_.now();
        bool passed = check_once(step, own);
        if (passed && check_.apart_s > 0.0) {
            transport_.wait_until(begin + check_.apart_s);
            passed = check_once(step, own);
        }
        if (!passed) { // who else failed: they are checked among themselves
            transport_.receive(leader(), std::as_writable_bytes(std::span(failed_)));
        }
        return passed;
    }

    /// The leader's part.
    void lead() {
        serve_passed();
        if (check_.apart_s > 0.0) {
            serve_passed();
        }
        for (const int rank : failed()) {
            transport_.send(rank, std::as_bytes(std::span(failed_)));
        }
    }

    [[nodiscard]] int leader() const { return candidates_.front(); }
    [[nodiscard]] std::vector<int> failed() const {
        std::vector<int> ranks;
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            if (failed_[i] != 0) {
                ranks.push_back(candidates_[i]);
            }
        }
        return ranks;
    }

private:
    bool check_once(double step, RankDomain& own) {
        const Interval<ClockOffset> proven = measure_against(transport_, leader(), check_.exchanges);
        const bool passed = proven.low <= ClockOffset(step) && proven.high >= ClockOffset(-step);
        if (!passed && own.refuted < 0) {
            own.refuted = leader();
            own.offset = midpoint(proven.low, proven.high);
            own.bound = farthest(proven, own.offset);
        }
        send_value(transport_, leader(), static_cast<std::uint8_t>(!passed));
        return passed;
    }

    void serve_passed() {
        for (std::size_t i = 1; i < candidates_.size(); ++i) {
            for (std::uint64_t k = 0; failed_[i] == 0 && k < check_.exchanges; ++k) {
                offset::pong(transport_, candidates_[i], offset::Receiving::polling);
            }
            if (failed_[i] == 0) {
                failed_[i] = receive_value<std::uint8_t>(transport_, candidates_[i]);
            }
        }
    }

    Transport& transport_;
    const DomainCheck& check_;
    std::vector<int> candidates_;
    std::vector<std::uint8_t> failed_;
};

RankDomain find_own_domain(Transport& transport, const DomainCheck& check, std::vector<int> candidates) {
    RankDomain own{.rank = transport.rank()};
    while (true) {
        ClaimCheck round(transport, check, std::move(candidates));
        if (round.leader() == transport.rank()) {
            round.lead();
            own.leader = transport.rank();
            return own;
        }
        if (round.take(own)) {
            own.leader = round.leader();
            return own;
        }
        candidates = round.failed();
    }
}

/// Whether two ranks claim one domain.
bool any_shared(std::span<const RankLocation> locations) {
    const auto repeats = [](const RankLocation& one, const RankLocation& next) { return next.domain == one.domain; };
    const auto falls = [](const RankLocation& one, const RankLocation& next) { return next.domain < one.domain; };
    if (std::ranges::adjacent_find(locations, repeats) != locations.end()) {
        return true;
    }
    if (std::ranges::adjacent_find(locations, falls) == locations.end()) {
        return false;
    }
    std::vector<int> sorted;
    sorted.reserve(locations.size());
    std::ranges::transform(locations, std::back_inserter(sorted), &RankLocation::domain);
    std::ranges::sort(sorted);
    return std::ranges::adjacent_find(sorted) != sorted.end();
}

} // namespace

Domains find_domains(Transport& transport, const DomainCheck& check) {
    const std::span<const RankLocation> locations = transport.locations();
    const int own = locations[static_cast<std::size_t>(transport.rank())].domain;
    Domains claimed{.members = {}, .splits = {}, .shared = any_shared(locations)};
    for (std::size_t rank = 0; rank < locations.size(); ++rank) {
        if (locations[rank].domain == own) {
            claimed.members.push_back(static_cast<int>(rank));
        }
    }
    return verify_domains(transport, claimed, check);
}

Domains verify_domains(Transport& transport, const Domains& claimed, const DomainCheck& check) {
    Domains found = claimed;
    found.splits.clear();
    if (!claimed.shared) {
        return found;
    }
    const RankDomain own = find_own_domain(transport, check, claimed.members);
    std::vector<RankDomain> against; // a claim; mostly none
    if (own.refuted >= 0) {
        against.push_back(own);
    }
    control::gather_everywhere(transport, against);
    found.splits.reserve(against.size());
    for (const RankDomain& one : against) {
        found.splits.push_back({one.rank, one.refuted, one.offset, one.bound});
        found.moved[one.rank] = one.leader;
    }
    std::erase_if(found.members, [&](int rank) {
        const auto moved = found.moved.find(rank);
        return (moved == found.moved.end() ? claimed.leader() : moved->second) != own.leader;
    });
    if (!against.empty()) {
        found.shared = all_leaders(transport, found).size() < transport.locations().size();
    }
    return found;
}

std::vector<int> leader_of_each(const Transport& transport, const Domains& domains) {
    std::vector<std::int64_t> claims;
    claims.reserve(transport.locations().size());
    for (const RankLocation& location : transport.locations()) {
        claims.push_back(location.domain);
    }
    std::vector<int> leader_of = leaders_by_key(claims);
    for (const auto& [rank, leader] : domains.moved) { // never the first of a claimed domain
        leader_of[static_cast<std::size_t>(rank)] = leader;
    }
    return leader_of;
}

std::vector<int> all_leaders(const Transport& transport, const Domains& domains) {
    std::vector<int> leaders;
    if (!domains.shared) {
        leaders.resize(transport.locations().size());
        std::iota(leaders.begin(), leaders.end(), 0);
        return leaders;
    }
    const std::vector<int> leader_of = leader_of_each(transport, domains);
    for (std::size_t rank = 0; rank < leader_of.size(); ++rank) {
        if (leader_of[rank] == static_cast<int>(rank)) {
            leaders.push_back(leader_of[rank]);
        }
    }
    return leaders;
}

double shortest_step(Transport& transport) {
    constexpr int readings = 32;
    double shortest = std::numeric_limits<double>::infinity();
    LocalTime last = transport.now();
    for (int i = 0; i < readings; ++i) {
        const LocalTime now = transport.now();
        if (now > last) {
            shortest = std::min(shortest, now - last);
        }
        last = now;
    }
    return std::isinf(shortest) ? 0.0 : shortest;
}

// Splits of clock domains in words.

namespace {

/// `rank 3`, `ranks 1 and 3`, `ranks 1, 2 and 5`, `ranks 1, 2, 3, 4 and 9 more`.
std::string name_ranks(const std::vector<int>& ranks) {
    constexpr std::size_t most = 8;
    const std::size_t shown = ranks.size() > most ? most / 2 : ranks.size();
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    for (std::size_t i = 0; i < shown; ++i) {
        const bool last = i + 1 == ranks.size();
        text += (i == 0 ? "" : last ? " and " : ", ") + std::to_string(ranks[i]);
    }
    return shown == ranks.size() ? text : text + " and " + std::to_string(ranks.size() - shown) + " more";
}

/// About ranks that were split off; there is at least one. `clock` is what they do not read.
std::string sentence(const Transport& transport, std::span<const Split> splits, const std::string& clock) {
    std::vector<int> ranks;
    std::vector<double> distances;
    for (const Split& split : splits) {
        ranks.push_back(transport.world_rank(split.rank));
        distances.push_back(std::abs(split.offset.s));
    }
    const auto [nearest, farthest] = std::minmax_element(distances.begin(), distances.end());
    std::string text = name_ranks(ranks) + (ranks.size() == 1 ? " does" : " do") + " not read " + clock + " (";
    if (format_duration(*nearest) != format_duration(*farthest)) {
        text += format_duration(*nearest) + " to ";
    }
    return text + format_duration(*farthest) + " apart)";
}

} // namespace

std::vector<std::string> describe_splits(const Transport& transport, const Domains& domains) {
    constexpr std::size_t most = 8;
    std::vector<Split> splits = domains.splits; // in the order of claimed domains: their leaders lead the rests
    std::ranges::stable_sort(splits, {}, &Split::leader);
    std::vector<std::span<const Split>> claimed;
    for (std::size_t first = 0, end = 0; first < splits.size(); first = end) {
        while (end < splits.size() && splits[end].leader == splits[first].leader) {
            ++end;
        }
        claimed.push_back(std::span(splits).subspan(first, end - first));
    }
    const std::size_t shown = claimed.size() > most ? most - 1 : claimed.size();
    std::vector<std::string> sentences;
    for (const std::span<const Split> one : std::span(claimed).first(shown)) {
        const int leader = transport.world_rank(one.front().leader);
        sentences.push_back(sentence(transport, one, "the clock of rank " + std::to_string(leader)));
    }
    if (shown < claimed.size()) {
        const auto first = static_cast<std::size_t>(claimed[shown].data() - splits.data());
        sentences.push_back(sentence(transport, std::span(splits).subspan(first),
                                     "the clocks of " + std::to_string(claimed.size() - shown) + " more ranks"));
    }
    return sentences;
}

Synchronised share(Transport& transport, const Domains& domains, const Synchronised& leaders) {
    if (domains.members.size() == 1) {
        return leaders;
    }
    SubTransport domain(transport, domains.members);
    Synchronised own = control::broadcast_value(domain, leaders);
    if (domain.rank() != 0) {
        own.bound.half_width += shortest_step(transport);
    }
    return own;
}

} // namespace clocksync

} // namespace ictus

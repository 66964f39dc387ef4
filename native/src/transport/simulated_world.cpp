#include "transport/simulated_world.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "clockmath/skew.hpp"
#include "transport/control.hpp"
#include "transport/fiber.hpp"

#include <cmath>
#include <cstring>
#include <deque>
#include <string>
#include <unordered_map>

namespace ictus {
namespace {

struct Message {
    double arrival;
    std::vector<std::byte> bytes;
};

/// One direction between two ranks. Its own random stream makes the world independent of the order in which fibers run.
struct Channel {
    SplitMix64 random{0};
    double last_arrival = 0.0;
    std::deque<Message> messages;
};

double exponential(double mean, SplitMix64& random) { return -mean * std::log(1.0 - random.uniform()); }

/// One source of noise on one rank: its next interruption.
struct Interruption {
    SimulatedNoise noise;
    SplitMix64 random{0};
    double begin_s = 0.0;
    double duration_s = 0.0;

    Interruption(const SimulatedNoise& of, std::uint64_t seed) : noise(of), random(seed) { draw(); }

    void draw() {
        begin_s += duration_s + exponential(1.0 / noise.rate_hz, random);
        duration_s = exponential(noise.mean_s, random);
    }
};

double travel_time(const SimulatedLink& link, bool upwards, SplitMix64& random) {
    double jitter = 0.0;
    for (int i = 0; i < link.jitter_shape; ++i) {
        jitter += exponential(link.jitter_s / link.jitter_shape, random);
    }
    if (random.uniform() < link.tail_share) {
        jitter *= link.tail_factor;
    }
    return link.latency_s + jitter + (upwards ? link.asymmetry_s : 0.0);
}

} // namespace

class SimulatedWorld::Rank final : public Transport {
public:
    Rank(SimulatedWorld& world, int rank, const Skew& skew) : world_(world), rank_(rank), skew_(skew) {
        SplitMix64 seeds(SplitMix64::mix(~world.settings_.seed) + static_cast<std::uint64_t>(rank));
        for (const SimulatedNoise& noise : world.settings_.noise) {
            interruptions_.emplace_back(noise, seeds.next());
        }
    }

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return world_.settings_.size; }
    [[nodiscard]] std::span<const RankLocation> locations() const override { return world_.locations_; }
    [[nodiscard]] std::uint64_t messages_sent() const override { return sent_; }

    void send(int to, std::span<const std::byte> message) override {
        sit_out_stalls();
        Channel& channel = world_.ranks_[static_cast<std::size_t>(to)]->channel_from(rank_);
        const double arrival =
            time_ + travel_time(link_to(to), rank_ < to, channel.random) + climb_to(to) + detour_to(to);
        channel.last_arrival = std::max(arrival, channel.last_arrival); // messages of one pair do not overtake
        channel.messages.push_back({channel.last_arrival, {message.begin(), message.end()}});
        ++sent_;
        world_.scheduler_->resume(to, rank_);
    }

    void receive(int from, std::span<std::byte> message) override {
        Channel& channel = channel_from(from);
        if (channel.messages.empty()) {
            world_.scheduler_->wait_for(from);
        }
        const Message& first = channel.messages.front();
        if (first.bytes.size() != message.size()) {
            throw measurement_error("rank " + std::to_string(rank_) + " expected " + std::to_string(message.size()) +
                                    " bytes from rank " + std::to_string(from) + ", got " +
                                    std::to_string(first.bytes.size()));
        }
        std::memcpy(message.data(), first.bytes.data(), message.size());
        if (first.arrival > time_) {
            const double poll = world_.settings_.poll_s;
            time_ = poll > 0.0 ? time_ + poll * std::ceil((first.arrival - time_) / poll) : first.arrival;
        }
        channel.messages.pop_front();
        sit_out_stalls();
    }

    void exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) override {
        send(to, out);
        receive(from, in);
    }

    void exchange_all(std::span<const MessagePair> all) override {
        for (const MessagePair& one : all) {
            send(one.to, one.out);
        }
        for (const MessagePair& one : all) {
            receive(one.from, one.in);
        }
    }

    [[nodiscard]] LocalTime now() override {
        sit_out_stalls();
        time_ += world_.settings_.reading_s;
        const LocalTime shown = clock_at(time_);
        const double step = world_.settings_.step_s;
        return step > 0.0 ? LocalTime(step * std::floor(shown.s / step)) : shown;
    }

    void wait_until(LocalTime instant) override {
        double stepped = 0.0; // by the steps that lie before the instant
        for (const SimulatedStep& step : world_.settings_.steps) {
            if (step.rank != rank_) {
                continue;
            }
            const double unstepped = skew_.invert(instant.s - stepped);
            if (unstepped <= step.at_s) {
                break;
            }
            stepped += step.by_s;
            time_ = std::max(time_, std::min(step.at_s, unstepped)); // a step forward over the instant ends the wait
        }
        time_ = std::max(time_, skew_.invert(instant.s - stepped));
        sit_out_stalls();
    }

    void library_barrier() override {
        std::uint16_t nothing = 0;
        control::combine_flags(*this, {&nothing, 1});
    }

    [[nodiscard]] LocalTime clock_at(double true_time) {
        double shown = skew_.apply(true_time);
        for (const SimulatedStep& step : world_.settings_.steps) {
            shown += step.rank == rank_ && step.at_s <= true_time ? step.by_s : 0.0;
        }
        return LocalTime(shown);
    }
    [[nodiscard]] double true_time() const { return time_; }

private:
    const SimulatedLink& link_to(int to) const {
        const std::vector<RankLocation>& locations = world_.locations_;
        const bool inside =
            locations[static_cast<std::size_t>(rank_)].host == locations[static_cast<std::size_t>(to)].host;
        return inside && world_.settings_.ranks_per_host > 1 ? world_.settings_.host_link : world_.settings_.link;
    }

    /// The way up a fat tree to the switch that both hosts are under, and down again.
    double climb_to(int to) const {
        const SimulatedSettings& settings = world_.settings_;
        int own = world_.locations_[static_cast<std::size_t>(rank_)].host;
        int other = world_.locations_[static_cast<std::size_t>(to)].host;
        double climb = 0.0;
        while (settings.radix > 1 && own / settings.radix != other / settings.radix) {
            own /= settings.radix;
            other /= settings.radix;
            climb += settings.hop_s;
        }
        return climb;
    }

    double detour_to(int to) const {
        double longer = 0.0;
        for (const SimulatedDetour& detour : world_.settings_.detours) {
            const bool under_way = time_ >= detour.begin_s && time_ < detour.begin_s + detour.duration_s;
            longer += under_way ? (rank_ < to ? detour.up_s : detour.down_s) : 0.0;
        }
        return longer;
    }

    Channel& channel_from(int sender) {
        const auto [found, made] = channels_.try_emplace(sender);
        if (made) {
            const auto size = static_cast<std::uint64_t>(world_.settings_.size);
            const std::uint64_t link = static_cast<std::uint64_t>(sender) * size + static_cast<std::uint64_t>(rank_);
            found->second.random = SplitMix64(SplitMix64::mix(world_.settings_.seed) + link);
        }
        return found->second;
    }

    void sit_out_stalls() {
        for (const SimulatedStall& stall : world_.settings_.stalls) {
            if (stall.rank == rank_ && time_ >= stall.begin_s) {
                time_ = std::max(time_, stall.begin_s + stall.duration_s);
            }
        }
        for (bool again = !interruptions_.empty(); again;) { // the end of one may lie in another
            again = false;
            for (Interruption& one : interruptions_) {
                for (; one.begin_s <= time_; one.draw()) {
                    again = again || one.begin_s + one.duration_s > time_;
                    time_ = std::max(time_, one.begin_s + one.duration_s);
                }
            }
        }
    }

    SimulatedWorld& world_;
    int rank_;
    Skew skew_;
    std::unordered_map<int, Channel> channels_; ///< by sender, made when first used: most pairs of ranks never meet
    std::vector<Interruption> interruptions_;   ///< one for each source of noise
    double time_ = 0.0;
    std::uint64_t sent_ = 0;
};

namespace {

std::vector<RankLocation> locations_of(const SimulatedSettings& settings) {
    std::vector<RankLocation> locations;
    for (int rank = 0; rank < settings.size; ++rank) {
        const int host = rank / settings.ranks_per_host;
        const int socket = 2 * (rank % settings.ranks_per_host) / settings.ranks_per_host;
        locations.push_back({host, socket, settings.one_clock_a_host ? host : rank});
    }
    return locations;
}

} // namespace

SimulatedWorld::SimulatedWorld(const SimulatedSettings& settings)
    : settings_(settings), locations_(locations_of(settings)), scheduler_(std::make_unique<FiberScheduler>()) {
    SplitMix64 random(settings.seed);
    SplitMix64 clocks(random.next());
    for (int rank = 0; rank < settings.size; ++rank) {
        // Ranks that share a clock draw the same numbers again.
        random = SplitMix64(clocks.next());
        if (settings.one_clock_a_host) {
            const auto host = static_cast<std::uint64_t>(rank / settings.ranks_per_host);
            random = SplitMix64(SplitMix64::mix(settings.seed) + host);
        }
        const double offset = (2.0 * random.uniform() - 1.0) * settings.offset_s;
        const double drift = (2.0 * random.uniform() - 1.0) * settings.drift;
        const std::uint64_t wander_seed = random.next();
        const bool root = settings.one_clock_a_host ? rank < settings.ranks_per_host : rank == 0;
        ranks_.push_back(std::make_unique<Rank>(
            *this, rank, Skew(root ? 0.0 : offset, root ? 0.0 : drift, settings.wander, wander_seed)));
    }
}

SimulatedWorld::~SimulatedWorld() = default;

void SimulatedWorld::run(const std::function<void(Transport&)>& body) {
    for (auto& rank : ranks_) {
        scheduler_->add([&body, &rank = *rank] { body(rank); });
    }
    scheduler_->run();
}

LocalTime SimulatedWorld::clock_at(int rank, double true_time) {
    return ranks_[static_cast<std::size_t>(rank)]->clock_at(true_time);
}

double SimulatedWorld::true_time(int rank) const { return ranks_[static_cast<std::size_t>(rank)]->true_time(); }

} // namespace ictus

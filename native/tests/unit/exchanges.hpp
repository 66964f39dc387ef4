// Exchanges of two clocks, drawn from a seed: what tests of estimates feed them.
#pragma once

#include "base/random.hpp"
#include "clockmath/hull.hpp"

#include <cmath>

namespace ictus::testing {

/// How exchanges back to back are drawn: the client's clock is offset + drift x ahead at its time x. Seconds.
struct Drawn {
    int n = 0;
    double offset = 0.0;
    double drift = 2e-5;
    double least = 1e-6;  ///< shortest way
    double excess = 3e-7; ///< mean of the random part of a way
    int shape = 1;        ///< exponentials that make it up
    double step = 0.0;    ///< both clocks show multiples of this
    double shorter = 0.0; ///< the ways to the reference from 20 % to 40 % of the exchanges
    double longer = 0.0;  ///< likewise, from half of the exchanges on
    double lasting = 0.0; ///< standard deviation of what the ways to the reference take more or less for a while
    double memory = 0.0;  ///< how much of that the next exchange keeps, 0 to 1
};

inline Constraints exchanges(const Drawn& of, std::uint64_t seed) {
    SplitMix64 random(seed);
    const auto draw = [&] {
        double sum = 0.0;
        for (int i = 0; i < of.shape; ++i) {
            sum -= of.excess / of.shape * std::log(1.0 - random.uniform());
        }
        return sum;
    };
    const auto shown = [&](double time) { return of.step > 0.0 ? of.step * std::floor(time / of.step) : time; };
    Constraints points;
    double time = 0.0; // of the client's clock
    double state = 0.0;
    for (int i = 0; i < of.n; ++i) {
        const bool quick = 5 * i >= of.n && 5 * i < 2 * of.n;
        const LocalTime sent(shown(time));
        if (of.lasting > 0.0) {
            state = of.memory * state +
                    std::sqrt(1.0 - of.memory * of.memory) * of.lasting * std::sqrt(12.0) * (random.uniform() - 0.5);
        }
        time += of.least + draw() - (quick ? of.shorter : 0.0) + (2 * i >= of.n ? of.longer : 0.0) + state;
        const ReferenceTime heard(shown(time - (of.offset + of.drift * time)));
        time += of.least + draw();
        const LocalTime received(shown(time));
        points.floor.push_back({sent, sent - heard});
        points.ceiling.push_back({received, received - heard});
    }
    return points;
}

} // namespace ictus::testing

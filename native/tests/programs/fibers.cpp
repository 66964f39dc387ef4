// Three fibers that take turns: what every simulation does, in its least form.
#include "transport/fiber.hpp"

#include <cstdio>

int main() {
    ictus::FiberScheduler scheduler;
    int turn = 0;
    for (int me = 0; me < 3; ++me) {
        scheduler.add([&, me] {
            for (int round = 0; round < 4; ++round) {
                const std::function<bool()> mine = [&, me] { return turn % 3 == me; };
                scheduler.wait_for(mine, me);
                ++turn;
            }
        });
    }
    scheduler.run();
    std::printf("%d turns\n", turn);
}

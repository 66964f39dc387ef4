// Three fibers that take turns: what every simulation does, in its least form.
#include "transport/fiber.hpp"

#include <cstdio>

int main() {
    ictus::FiberScheduler scheduler;
    int turn = 0;
    for (int me = 0; me < 3; ++me) {
        scheduler.add([&, me] {
            for (int round = 0; round < 4; ++round) {
                if (turn % 3 != me) {
                    scheduler.wait_for((me + 2) % 3);
                }
                ++turn;
                scheduler.resume((me + 1) % 3, me);
            }
        });
    }
    scheduler.run();
    std::printf("%d turns\n", turn);
}

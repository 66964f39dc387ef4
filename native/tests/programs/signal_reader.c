/* Reads clocks in threads and, at the same time, in a signal handler that interrupts them wherever they are. Ends with
 * 0 if each thread saw its time only grow. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

enum { n_threads = 3, milliseconds = 400 };

static volatile sig_atomic_t interruptions;

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void interrupt(int number) {
    (void)number;
    (void)now_ns();
    ++interruptions;
}

static void* read_on(void* backwards) {
    const int64_t end = now_ns() + milliseconds * (int64_t)1000000;
    int64_t last = 0;
    while (last < end) {
        const int64_t now = now_ns();
        *(int*)backwards += now < last;
        last = now;
        free(malloc(100)); /* so that the handler interrupts the allocator too */
    }
    return NULL;
}

int main(void) {
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
    const struct itimerval often = {{0, 100}, {0, 100}};
    pthread_t threads[n_threads];
    int backwards[n_threads] = {0};
    int total = 0;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < n_threads; ++i) {
        pthread_create(&threads[i], NULL, read_on, &backwards[i]);
    }
    for (int i = 0; i < n_threads; ++i) {
        pthread_join(threads[i], NULL);
        total += backwards[i];
    }
    printf("%d %d\n", (int)interruptions, total);
    return total > 0;
}

/* A test instrument: a library to preload that makes rank 1 of a launch misbehave, once. The file that ICTUS_FAULTS
 * names has a line for each launch to come, `WHAT WHERE`, and a launch takes its line away in MPI_Init.
 *     WHAT   kill, segv, abort: the rank ends by that signal    pause: it is stopped for a second
 *            launcher: the launcher is killed                   error: the call returns an error
 *            hang: it is stopped for good                       print: it writes to standard output and error
 *            wait: it waits for ever, and hears signals         none
 *     WHERE  before (MPI_Init), during (MPI_Alltoall), after (MPI_Finalize) */
#define _GNU_SOURCE
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char what[16], where[16];

static void take_line(void) {
    static char text[4096];
    FILE* file = fopen(getenv("ICTUS_FAULTS"), "r+");
    if (file == NULL) {
        return;
    }
    size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    char* end = strchr(text, '\n');
    if (end != NULL && sscanf(text, "%15s %15s", what, where) == 2) {
        file = freopen(getenv("ICTUS_FAULTS"), "w", file);
        if (file == NULL) {
            abort();
        }
        fputs(end + 1, file);
    }
    fclose(file);
}

/* The highest process above this one that belongs to the launch, by the mark that all of it inherit. */
static pid_t launcher(void) {
    static char text[1 << 16];
    char name[64];
    pid_t found = getppid();
    for (pid_t pid = found; pid > 1;) {
        snprintf(name, sizeof name, "/proc/%d/environ", (int)pid);
        FILE* file = fopen(name, "r");
        size_t size = file == NULL ? 0 : fread(text, 1, sizeof text, file);
        if (file != NULL) {
            fclose(file);
        }
        if (memmem(text, size, "ICTUS_LAUNCH=", 13) == NULL) {
            break;
        }
        found = pid;
        snprintf(name, sizeof name, "/proc/%d/stat", (int)pid);
        file = fopen(name, "r");
        int parent = 0;
        if (file == NULL || fscanf(file, "%*d (%*[^)]) %*c %d", &parent) != 1) {
            break;
        }
        fclose(file);
        pid = parent;
    }
    return found;
}

static void pause_a_second(void) {
    const pid_t rank = getpid();
    if (fork() == 0) {
        const struct timespec second = {1, 0};
        nanosleep(&second, NULL);
        kill(rank, SIGCONT);
        _exit(0);
    }
    raise(SIGSTOP);
}

/* Whether the call is to fail. */
static int misbehave(const char* here) {
    if (strcmp(here, where) != 0) {
        return 0;
    }
    where[0] = '\0';
    if (strcmp(what, "kill") == 0) {
        raise(SIGKILL);
    }
    if (strcmp(what, "segv") == 0) {
        raise(SIGSEGV);
    }
    if (strcmp(what, "abort") == 0) {
        abort();
    }
    if (strcmp(what, "launcher") == 0) {
        kill(launcher(), SIGKILL);
    }
    if (strcmp(what, "hang") == 0) {
        raise(SIGSTOP);
    }
    while (strcmp(what, "wait") == 0) {
        pause();
    }
    if (strcmp(what, "pause") == 0) {
        pause_a_second();
    }
    if (strcmp(what, "print") == 0) {
        puts("\033[31m{\"library\": \"says\"}");
        fflush(stdout);
        fputs("a library says \xff\xfe\n", stderr);
    }
    return strcmp(what, "error") == 0;
}

static void initialised(void) {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 1) {
        return;
    }
    take_line();
    misbehave("before");
}

int MPI_Init(int* n_words, char*** words) {
    const int code = PMPI_Init(n_words, words);
    initialised();
    return code;
}

int MPI_Init_thread(int* n_words, char*** words, int required, int* provided) {
    const int code = PMPI_Init_thread(n_words, words, required, provided);
    initialised();
    return code;
}

int MPI_Alltoall(const void* sent, int n_sent, MPI_Datatype sent_type, void* received, int n_received,
                 MPI_Datatype received_type, MPI_Comm comm) {
    static int calls;
    if (++calls == 200 && misbehave("during")) {
        return MPI_ERR_OTHER;
    }
    return PMPI_Alltoall(sent, n_sent, sent_type, received, n_received, received_type, comm);
}

int MPI_Finalize(void) {
    misbehave("after");
    return PMPI_Finalize();
}

/* A program that knows nothing of Ictus: every collective that has a mock-up, on communicators of several sizes, with
   datatypes that have gaps, odd orders and odd bounds, other ones where they are sent than where they are received, any
   root, in place and not; each result is computed anew from what the ranks are known to send.

   Prints `checks N wrong W` on rank 0 and ends with 1 where anything was wrong. Words: `threads` calls from two threads
   at once; `others` makes the calls that are the library's: between two groups, of a reduction that does not commute.
   `spawn` calls together with a process that it starts. `bounds` also reduces datatypes whose data do not begin where
   they do: MPICH 5.0 writes beyond its own memory there.

   With -DLARGE_COUNTS all by the forms that count by MPI_Count; `beyond` makes calls whose counts do not fit an int.
 */
#define _POSIX_C_SOURCE 200809L
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LARGE_COUNTS
#define MPI_Allgather MPI_Allgather_c
#define MPI_Allreduce MPI_Allreduce_c
#define MPI_Bcast MPI_Bcast_c
#define MPI_Gather MPI_Gather_c
#define MPI_Reduce MPI_Reduce_c
#define MPI_Reduce_scatter MPI_Reduce_scatter_c
#define MPI_Reduce_scatter_block MPI_Reduce_scatter_block_c
#define MPI_Scan MPI_Scan_c
#define MPI_Scatter MPI_Scatter_c
typedef MPI_Count count_type;
#else
typedef int count_type;
#endif

enum { margin = 16, untouched = -77, largest = 4096 };

/* A unit: `k` ints at places counted in ints, repeated every `extent` ints. */
struct layout {
    int k;
    int at[3];
    int extent;
    int lower;
    MPI_Datatype type;
};

static struct layout layouts[] = {{1, {0}, 1, 0, MPI_DATATYPE_NULL},    {3, {0, 1, 2}, 3, 0, MPI_DATATYPE_NULL},
                                  {2, {0, 2}, 4, 0, MPI_DATATYPE_NULL}, {2, {1, 0}, 2, 0, MPI_DATATYPE_NULL},
                                  {2, {2, 3}, 2, 0, MPI_DATATYPE_NULL}, {2, {-1, 1}, 4, -1, MPI_DATATYPE_NULL}};
enum { n_layouts = sizeof layouts / sizeof layouts[0] };

static long checks, wrong;
static int n_reduced = 4; /* layouts */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void make_layouts(void) {
    layouts[0].type = MPI_INT;
    MPI_Type_contiguous(3, MPI_INT, &layouts[1].type);
    MPI_Type_commit(&layouts[1].type);
    for (int i = 2; i < n_layouts; ++i) {
        struct layout* const l = &layouts[i];
        const int ones[] = {1, 1, 1};
        MPI_Datatype tight;
        MPI_Type_indexed(l->k, ones, l->at, MPI_INT, &tight);
        MPI_Type_create_resized(tight, l->lower * (MPI_Aint)sizeof(int), l->extent * (MPI_Aint)sizeof(int), &l->type);
        MPI_Type_commit(&l->type);
        MPI_Type_free(&tight);
    }
}

/* Element `e` of what rank `r` sends in the call numbered `seed`. */
static int value(int r, long e, int seed) { return (int)((r * 7919L + e * 104729L + seed * 31L) % 997 + 1); }

/* A buffer that MPI is told begins behind its margin. */
struct buffer {
    int all[largest];
};

static int* place(struct buffer* b, const struct layout* l, long e) {
    return &b->all[margin + e / l->k * l->extent + l->at[e % l->k]];
}
static void* start(struct buffer* b) { return &b->all[margin]; }
static void clear(struct buffer* b) {
    for (int i = 0; i < largest; ++i) {
        b->all[i] = untouched;
    }
}

/* What a case is about. */
struct site {
    MPI_Comm comm;
    int rank, p, root, count, seed, in_place;
    const struct layout *sent, *received; /* the same number of ints in all; in place the same */
    int n_sent, n_received;               /* units of a block */
    MPI_Op op;
    struct buffer *send, *receive;
    long first; /* element of the expected block ... */
    const char* name;
};

static long elements(const struct site* s) { return (long)s->n_received * s->received->k; }

static void judge(const struct site* s, int is_right, long e, int expected, int found) {
    pthread_mutex_lock(&turn);
    ++checks;
    if (!is_right && ++wrong <= 5) {
        fprintf(stderr, "wrong: %s p %d root %d count %d in place %d, rank %d element %ld: %d, not %d\n", s->name, s->p,
                s->root, s->count, s->in_place, s->rank, e, found, expected);
    }
    pthread_mutex_unlock(&turn);
}

/* `n` elements of the receive buffer, and that nothing else of it was written. */
static void check(const struct site* s, long n, int (*expected)(const struct site*, long)) {
    struct buffer* copy = malloc(sizeof *copy);
    memcpy(copy, s->receive, sizeof *copy);
    for (long e = 0; e < n; ++e) {
        int* const found = place(copy, s->received, e);
        const int right = expected(s, e);
        if (*found != right || e == 0) {
            judge(s, *found == right, e, right, *found);
        }
        *found = untouched;
    }
    for (int i = 0; i < largest; ++i) {
        if (copy->all[i] != untouched || i == 0) {
            judge(s, copy->all[i] == untouched, i - margin, untouched, copy->all[i]);
        }
    }
    free(copy);
}

static void fill(struct buffer* b, const struct layout* l, long first, long n, int r, int seed) {
    for (long e = 0; e < n; ++e) {
        *place(b, l, first + e) = value(r, e, seed);
    }
}

static int of_root(const struct site* s, long e) { return value(s->root, s->first + e, s->seed); }
static int of_block(const struct site* s, long e) { return value((int)(e / elements(s)), e % elements(s), s->seed); }
static int sum_below(const struct site* s, long e, int end) {
    int sum = 0;
    for (int r = 0; r < end; ++r) {
        sum += value(r, s->first + e, s->seed);
    }
    return sum;
}
static int sum_of_all(const struct site* s, long e) { return sum_below(s, e, s->p); }
static int sum_so_far(const struct site* s, long e) { return sum_below(s, e, s->rank + 1); }

static void bcast(struct site s) {
    const int is_root = s.rank == s.root;
    s.name = "bcast";
    clear(s.receive);
    if (is_root) { /* counts and lays out the same message as it likes */
        clear(s.send);
        fill(s.send, s.sent, 0, elements(&s), s.rank, s.seed);
        MPI_Bcast(start(s.send), s.n_sent, s.sent->type, s.root, s.comm);
        return;
    }
    MPI_Bcast(start(s.receive), s.n_received, s.received->type, s.root, s.comm);
    check(&s, elements(&s), of_root);
}

static void gather(struct site s) {
    const int is_root = s.rank == s.root;
    s.name = "gather";
    clear(s.send);
    clear(s.receive);
    fill(s.send, s.sent, 0, elements(&s), s.rank, s.seed);
    if (s.in_place && is_root) {
        fill(s.receive, s.received, s.rank * elements(&s), elements(&s), s.rank, s.seed);
        MPI_Gather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, start(s.receive), s.n_received, s.received->type, s.root,
                   s.comm);
    } else if (is_root) {
        MPI_Gather(start(s.send), s.n_sent, s.sent->type, start(s.receive), s.n_received, s.received->type, s.root,
                   s.comm);
    } else {
        MPI_Gather(start(s.send), s.n_sent, s.sent->type, NULL, -1, MPI_DATATYPE_NULL, s.root, s.comm);
    }
    check(&s, is_root ? elements(&s) * s.p : 0, of_block);
}

static void allgather(struct site s) {
    s.name = "allgather";
    clear(s.send);
    clear(s.receive);
    fill(s.send, s.sent, 0, elements(&s), s.rank, s.seed);
    if (s.in_place) {
        fill(s.receive, s.received, s.rank * elements(&s), elements(&s), s.rank, s.seed);
        MPI_Allgather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, start(s.receive), s.n_received, s.received->type, s.comm);
    } else {
        MPI_Allgather(start(s.send), s.n_sent, s.sent->type, start(s.receive), s.n_received, s.received->type, s.comm);
    }
    check(&s, elements(&s) * s.p, of_block);
}

static void scatter(struct site s) {
    const int is_root = s.rank == s.root;
    s.name = "scatter";
    clear(s.receive);
    s.first = s.rank * elements(&s);
    if (!is_root) {
        MPI_Scatter(NULL, -1, MPI_DATATYPE_NULL, start(s.receive), s.n_received, s.received->type, s.root, s.comm);
        check(&s, elements(&s), of_root);
        return;
    }
    clear(s.send);
    fill(s.send, s.sent, 0, elements(&s) * s.p, s.rank, s.seed);
    if (s.in_place) {
        MPI_Scatter(start(s.send), s.n_sent, s.sent->type, MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, s.root, s.comm);
        check(&s, 0, of_root);
    } else {
        MPI_Scatter(start(s.send), s.n_sent, s.sent->type, start(s.receive), s.n_received, s.received->type, s.root,
                    s.comm);
        check(&s, elements(&s), of_root);
    }
}

/* Of reductions: one layout, the message in the send buffer or, in place, in the receive buffer. */
static const void* operand(struct site* s, long n) {
    clear(s->send);
    clear(s->receive);
    fill(s->in_place ? s->receive : s->send, s->received, 0, n, s->rank, s->seed);
    return s->in_place ? MPI_IN_PLACE : start(s->send);
}

/* Behind the result, a reduction in place leaves what it had: not looked at. */
static void forget_behind(struct site* s, long n, long all) {
    for (long e = n; s->in_place && e < all; ++e) {
        *place(s->receive, s->received, e) = untouched;
    }
}

static void reductions(struct site s) {
    const long n = elements(&s);
    const MPI_Datatype type = s.received->type;
    const int is_root = s.rank == s.root;
    const void* from = operand(&s, n);
    s.name = "allreduce";
    MPI_Allreduce(from, start(s.receive), s.n_received, type, s.op, s.comm);
    check(&s, n, sum_of_all);

    s.name = "scan";
    from = operand(&s, n);
    MPI_Scan(from, start(s.receive), s.n_received, type, s.op, s.comm);
    check(&s, n, sum_so_far);

    struct site at_root = s;
    at_root.name = "reduce";
    at_root.in_place = s.in_place && is_root;
    from = operand(&at_root, n);
    MPI_Reduce(from, is_root ? start(s.receive) : NULL, s.n_received, type, s.op, s.root, s.comm);
    check(&at_root, is_root ? n : 0, sum_of_all);

    s.name = "reduce_scatter_block";
    s.first = n * s.rank;
    from = operand(&s, n * s.p);
    MPI_Reduce_scatter_block(from, start(s.receive), s.n_received, type, s.op, s.comm);
    forget_behind(&s, n, n * s.p);
    check(&s, n, sum_of_all);

    count_type counts[8]; /* rank r gets r + count units, but the last: none */
    int total = 0;
    s.name = "reduce_scatter";
    for (int r = 0; r < s.p; ++r) {
        const int count = r == s.p - 1 && s.p > 1 ? 0 : s.count + r;
        counts[r] = count;
        s.first = r == s.rank ? (long)total * s.received->k : s.first;
        total += count;
    }
    from = operand(&s, (long)total * s.received->k);
    MPI_Reduce_scatter(from, start(s.receive), counts, type, s.op, s.comm);
    forget_behind(&s, (long)counts[s.rank] * s.received->k, (long)total * s.received->k);
    check(&s, (long)counts[s.rank] * s.received->k, sum_of_all);
}

/* Commutes, and knows the layout of the datatype that it is called with. */
static void add(void* in, void* inout, int* n, MPI_Datatype* type) {
    const struct layout* l = &layouts[0];
    for (int i = 0; i < n_layouts; ++i) {
        l = layouts[i].type == *type ? &layouts[i] : l;
    }
    for (int unit = 0; unit < *n; ++unit) {
        for (int i = 0; i < l->k; ++i) {
            ((int*)inout)[unit * l->extent + l->at[i]] += ((int*)in)[unit * l->extent + l->at[i]];
        }
    }
}

static void all_calls(MPI_Comm comm, int seed) {
    static const int counts[] = {0, 1, 2, 7, 15};
    struct site s = {
        .comm = comm, .seed = seed, .send = malloc(sizeof(struct buffer)), .receive = malloc(sizeof(struct buffer))};
    MPI_Comm_rank(comm, &s.rank);
    MPI_Comm_size(comm, &s.p);
    MPI_Op added;
    MPI_Op_create(add, 1, &added);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        for (int l = 0; l < n_layouts; ++l) {
            s.count = s.n_received = s.n_sent = counts[i];
            s.received = s.sent = &layouts[l];
            s.root = (int)(i + (size_t)l) % s.p;
            s.op = l == 0 ? MPI_SUM : added;
            for (s.in_place = 0; s.in_place < 2; ++s.in_place) {
                s.first = 0;
                s.seed = ++seed;
                gather(s);
                allgather(s);
                scatter(s);
                if (l < n_reduced) {
                    reductions(s);
                }
            }
            s.in_place = 0;
            s.sent = &layouts[0]; /* the same signature, in another datatype */
            s.n_sent = s.count * s.received->k;
            s.first = 0;
            bcast(s);
            gather(s);
            allgather(s);
            scatter(s);
        }
    }
    MPI_Op_free(&added);
    free(s.send);
    free(s.receive);
}

/* x -> a x + b modulo 251, as 256 a + b: composed, these maps do not commute. */
static void compose(void* in, void* inout, int* n, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *n; ++i) {
        const int left = ((int*)in)[i], right = ((int*)inout)[i];
        const int a = left / 256 * (right / 256) % 251;
        ((int*)inout)[i] = 256 * a + (left / 256 * (right % 256) + left % 256) % 251;
    }
}

static void other_calls(void) {
    int rank, p;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    struct site s = {.name = "compose", .rank = rank, .p = p};
    MPI_Op composed;
    MPI_Op_create(compose, 0, &composed);
    int own = 256 * (rank + 2) + rank + 1, all = 0, expected = 256 * 2 + 1, one = 1;
    for (int r = 1; r < p; ++r) {
        int next = 256 * (r + 2) + r + 1;
        compose(&expected, &next, &one, NULL);
        expected = next;
    }
    MPI_Allreduce(&own, &all, 1, MPI_INT, composed, MPI_COMM_WORLD);
    judge(&s, all == expected, 0, expected, all);
    MPI_Op_free(&composed);
    if (p < 2) {
        return;
    }
    MPI_Comm half, inter;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &inter);
    int number = rank == 0 ? 42 : 0;
    MPI_Bcast(&number, 1, MPI_INT, rank % 2 == 0 ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0, inter);
    s.name = "between two groups";
    judge(&s, number == (rank % 2 == 1 || rank == 0 ? 42 : 0), 0, 42, number);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

#ifdef LARGE_COUNTS
/* Of one process alone, so that nothing moves: a count beyond an int, and the largest there is. */
static void calls_beyond_int(void) {
    char byte = 1;
    int number = 42;
    MPI_Bcast(&byte, (MPI_Count)3 << 30, MPI_BYTE, 0, MPI_COMM_SELF);
    MPI_Bcast(&number, (MPI_Count)LLONG_MAX, MPI_INT, 0, MPI_COMM_SELF);
    struct site s = {.name = "beyond int", .p = 1};
    judge(&s, byte == 1 && number == 42, 0, 42, number);
}
#endif

/* An allreduce with a process of another world, which that process makes too. */
static void with_spawned(char* program) {
    MPI_Comm parent, inter, all;
    MPI_Comm_get_parent(&parent);
    inter = parent;
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE);
    }
    MPI_Intercomm_merge(inter, parent != MPI_COMM_NULL, &all);
    struct site s = {.name = "beyond the world"};
    int one = 1, sum = 0;
    MPI_Comm_size(all, &s.p);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all);
    judge(&s, sum == s.p, 0, s.p, sum);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&inter);
}

static void* in_thread(void* comm) {
    all_calls(*(MPI_Comm*)comm, 1000);
    return NULL;
}

static void two_threads(void) {
    MPI_Comm comms[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    }
    for (int i = 0; i < 2; ++i) {
        pthread_create(&threads[i], NULL, in_thread, &comms[i]);
    }
    for (int i = 0; i < 2; ++i) {
        pthread_join(threads[i], NULL);
        MPI_Comm_free(&comms[i]);
    }
}

int main(int argc, char** argv) {
    const char* const what = argc > 1 ? argv[1] : "";
    int provided, rank, p;
    if (strcmp(what, "threads") == 0) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    } else {
        MPI_Init(&argc, &argv);
    }
    n_reduced = strcmp(what, "bounds") == 0 ? n_layouts : n_reduced;
    make_layouts();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm parent;
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL || strcmp(what, "spawn") == 0) {
        with_spawned(argv[0]);
    } else if (strcmp(what, "threads") == 0) {
        two_threads();
    } else if (strcmp(what, "others") == 0) {
        other_calls();
#ifdef LARGE_COUNTS
    } else if (strcmp(what, "beyond") == 0) {
        calls_beyond_int();
#endif
    } else {
        for (int n = 1; n <= p; ++n) { /* the first n ranks, in the opposite order */
            MPI_Comm first;
            MPI_Comm_split(MPI_COMM_WORLD, rank < n ? 0 : MPI_UNDEFINED, -rank, &first);
            if (first != MPI_COMM_NULL) {
                all_calls(first, 100 * n);
                MPI_Comm_free(&first);
            }
        }
    }
    long sums[2] = {checks, wrong}, all[2] = {0, 0};
    MPI_Allreduce(sums, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && parent == MPI_COMM_NULL) {
        printf("checks %ld wrong %ld\n", all[0], all[1]);
    }
    for (int i = 1; i < n_layouts; ++i) {
        MPI_Type_free(&layouts[i].type);
    }
    MPI_Finalize();
    return all[1] != 0;
}

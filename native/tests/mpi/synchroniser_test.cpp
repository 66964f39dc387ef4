// What hangs on a communicator of somebody else's program, and processes that are started together there.
#include "check.hpp"
#include "interface/synchroniser.hpp"
#include "mpi/foreign_communicator.hpp"
#include "mpi/handles.hpp"

#include <cmath>
#include <mpi.h>

using namespace ictus;

namespace {

/// Counts itself.
class Witness final : public AttachedValue {
public:
    explicit Witness(int& alive) : alive_(alive) { ++alive_; }
    ~Witness() override { --alive_; }

private:
    int& alive_;
};

CommAttribute witnesses;
CommAttribute others;

int rank_in(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

/// Starts ten times, rank 0 late for the first; none may go on before it has come.
void check_starts(MPI_Comm comm, const Synchroniser::Texts& texts) {
    const auto synchroniser = Synchroniser::create(comm, texts);
    const double delay = rank_in(comm) == 0 ? 0.01 : 0.0;
    Transport& transport = synchroniser->transport();
    transport.wait_until(transport.now() + delay);
    double came = rank_in(comm) == 0 ? MPI_Wtime() : 0.0;
    if (std::string_view(texts.procsync) != "none") {
        (void)synchroniser->start();
        const double left = MPI_Wtime();
        MPI_Bcast(&came, 1, MPI_DOUBLE, 0, comm);
        int is_global = 0;
        int* flag = nullptr;
        MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &flag, &is_global);
        CHECK(is_global == 0 || *flag == 0 || left >= came);
    }
    for (int i = 0; i < 10; ++i) {
        (void)synchroniser->start();
    }
}

} // namespace

TEST(what_is_attached_is_found_and_freed_with_its_communicator) {
    int alive = 0;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(witnesses.find(comm) == nullptr);
    witnesses.attach(comm, std::make_unique<Witness>(alive));
    others.attach(comm, std::make_unique<Witness>(alive));
    CHECK(witnesses.find(comm) != nullptr);
    CHECK(witnesses.find(comm) != others.find(comm));
    CHECK_EQ(2, alive);
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &copy);
    CHECK(witnesses.find(copy) == nullptr);
    witnesses.attach(comm, std::make_unique<Witness>(alive));
    CHECK_EQ(2, alive);
    witnesses.remove(comm);
    CHECK_EQ(1, alive);
    MPI_Comm_free(&copy);
    CHECK_EQ(1, alive);
    MPI_Comm_free(&comm);
    CHECK_EQ(0, alive);
}

TEST(every_synchroniser_starts_ranks_of_any_communicator) {
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank_in(MPI_COMM_WORLD) % 2, 0, &half);
    for (const char* procsync : {"none", "barrier", "window(size=1ms)"}) {
        check_starts(MPI_COMM_WORLD, {procsync, "hca3-offset", ""});
        check_starts(half, {procsync, "hca3-offset", "monotonic"});
    }
    MPI_Comm_free(&half);
}

TEST(a_text_that_one_rank_has_wrong_is_an_error_of_all) {
    const int last = mpi::Communicator::duplicate(MPI_COMM_WORLD).size() - 1;
    const bool wrong = rank_in(MPI_COMM_WORLD) == last;
    const std::string part = "rank " + std::to_string(last) + ": unknown procsync 'barier'";
    CHECK_THROWS(Synchroniser::create(MPI_COMM_WORLD, {wrong ? "barier" : "barrier", "", ""}), part);
    CHECK_THROWS(Synchroniser::create(MPI_COMM_WORLD, {"window", "none", ""}), "needs a global time");
}

TEST(a_synchroniser_tells_how_good_its_clock_is) {
    const auto without = Synchroniser::create(MPI_COMM_WORLD, {"barrier", "none", ""});
    CHECK(std::isnan(without->bound(without->transport().now())));
    const auto with = Synchroniser::create(MPI_COMM_WORLD, {"barrier", "ictus(span=1ms)", ""});
    CHECK(with->bound(with->transport().now()) >= 0.0);
}

TEST(what_is_alive_at_the_end_is_freed_by_finalising) {
    static int alive = 0;
    class Late final : public AttachedValue {
    public:
        explicit Late(MPI_Comm comm) : own_(mpi::Communicator::duplicate(comm)) { ++alive; }
        ~Late() override {
            if (--alive < 0 || is_finalising() != (alive < 1)) {
                MPI_Abort(MPI_COMM_WORLD, 9); // freed by MPI_Finalize: there is no test around it any more
            }
        }

    private:
        mpi::Communicator own_;
    };
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    others.attach(MPI_COMM_WORLD, std::make_unique<Late>(MPI_COMM_WORLD));
    witnesses.attach(comm, std::make_unique<Late>(comm));
    CHECK_EQ(2, alive);
    MPI_Comm_free(&comm);
    CHECK_EQ(1, alive);
}

TEST(what_the_program_keeps_with_a_communicator_is_not_copied) {
    static int copies = 0;
    const auto count = [](MPI_Comm, int, void*, void*, void*, int* flag) {
        ++copies;
        *flag = 0;
        return MPI_SUCCESS;
    };
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(count, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
    MPI_Comm_set_attr(comm, key, nullptr);
    (void)Synchroniser::create(comm, {"barrier", "none", ""});
    CHECK_EQ(0, copies);
    MPI_Comm_dup(comm, &copy);
    CHECK_EQ(1, copies); // so they can be counted
    MPI_Comm_free(&copy);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&key);
}

TEST(communicators_are_told_apart_by_the_same_order_on_all_ranks) {
    const auto one = Synchroniser::create(MPI_COMM_WORLD, {"none", "none", ""});
    const auto other = Synchroniser::create(MPI_COMM_WORLD, {"none", "none", ""});
    CHECK(one->communicator().order() < other->communicator().order());
    AttachedValue::Order roots = one->communicator().order();
    MPI_Bcast(roots.data(), static_cast<int>(roots.size()), MPI_UINT64_T, 0, MPI_COMM_WORLD);
    CHECK(roots == one->communicator().order());
}

TEST(finalising_frees_in_that_order_whatever_came_first) {
    static std::uint64_t freed = 0;
    class Numbered final : public AttachedValue {
    public:
        explicit Numbered(std::uint64_t number) : number_(number) {}
        [[nodiscard]] Order order() const override { return {number_, 0, 0}; }
        ~Numbered() override {
            if (number_ != ++freed) {
                MPI_Abort(MPI_COMM_WORLD, 9); // there is no test around it any more
            }
        }

    private:
        std::uint64_t number_;
    };
    static CommAttribute kinds[2];
    const std::size_t first = rank_in(MPI_COMM_WORLD) % 2 == 0 ? 0 : 1;
    for (const std::size_t i : {first, 1 - first}) {
        kinds[i].attach(MPI_COMM_WORLD, std::make_unique<Numbered>(i + 1));
    }
    CHECK_EQ(0U, freed);
}

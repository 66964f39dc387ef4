// Errors of MPIX_Harmonize: MPI's classes and texts, through the error handler of the communicator.
#include "check.hpp"
#include "ictus/harmonize.h"

#include <cstdlib>
#include <string>

namespace {

int handled = 0; ///< calls of our error handler
MPI_Comm handled_comm = MPI_COMM_NULL;

extern "C" void count_error(MPI_Comm* comm, int*, ...) {
    ++handled;
    handled_comm = *comm;
}

/// A duplicate of MPI_COMM_WORLD whose errors are counted and returned.
class Counting {
public:
    explicit Counting(MPI_Comm of = MPI_COMM_WORLD) {
        MPI_Comm_dup(of, &comm_);
        MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
        MPI_Comm_create_errhandler(count_error, &handler);
        MPI_Comm_set_errhandler(comm_, handler);
        MPI_Errhandler_free(&handler);
    }
    Counting(const Counting&) = delete;
    Counting& operator=(const Counting&) = delete;
    ~Counting() { MPI_Comm_free(&comm_); }
    [[nodiscard]] MPI_Comm comm() const { return comm_; }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

/// An error of this class, told once through the handler, with a text that has this part.
void check_error(int code, MPI_Comm comm, int error_class, const std::string& part) {
    int own_class = MPI_SUCCESS;
    MPI_Error_class(code, &own_class);
    CHECK_EQ(error_class, own_class);
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    CHECK_EQ(MPI_SUCCESS, MPI_Error_string(code, text, &length));
    if (std::string(text).find(part) == std::string::npos) {
        check::fail(__FILE__, __LINE__, "'" + std::string(text) + "' lacks '" + part + "'");
    }
    CHECK_EQ(1, handled);
    CHECK(handled_comm == comm);
    handled = 0;
}

int set(MPI_Comm comm, const char* key, const char* value) {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    const int code = MPIX_Harmonize_set_info(comm, info);
    MPI_Info_free(&info);
    return code;
}

} // namespace

TEST(a_place_that_is_null_is_an_argument_error) {
    const Counting counting;
    check_error(MPIX_Harmonize(counting.comm(), nullptr), counting.comm(), MPI_ERR_ARG, "MPIX_Harmonize: flag is NULL");
    check_error(MPIX_Harmonize_get_info(counting.comm(), nullptr), counting.comm(), MPI_ERR_ARG, "info is NULL");
    check_error(MPIX_Harmonize_get_statistics(counting.comm(), nullptr), counting.comm(), MPI_ERR_ARG,
                "statistics is NULL");
    int flag = 0;
    CHECK_EQ(MPI_SUCCESS, MPIX_Harmonize(counting.comm(), &flag)); // and nothing is broken
    CHECK_EQ(0, handled);
}

TEST(an_intercommunicator_is_refused_by_its_own_handler) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size == 1) {
        return; // there is none
    }
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm inter = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 4, &inter);
    {
        const Counting counting(inter);
        int flag = 1;
        check_error(MPIX_Harmonize(counting.comm(), &flag), counting.comm(), MPI_ERR_COMM,
                    "merge it with MPI_Intercomm_merge");
        CHECK_EQ(0, flag);
        check_error(MPIX_Harmonize_set_info(counting.comm(), MPI_INFO_NULL), counting.comm(), MPI_ERR_COMM,
                    "MPIX_Harmonize_set_info: the communicator is an intercommunicator");
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

TEST(without_a_communicator_the_default_handler_is_asked) {
    const MPI_Comm nowhere = MPI_VERSION >= 4 ? MPI_COMM_SELF : MPI_COMM_WORLD;
    MPI_Errhandler before = MPI_ERRHANDLER_NULL;
    MPI_Errhandler counting = MPI_ERRHANDLER_NULL;
    MPI_Comm_get_errhandler(nowhere, &before);
    MPI_Comm_create_errhandler(count_error, &counting);
    MPI_Comm_set_errhandler(nowhere, counting);
    int flag = 1;
    check_error(MPIX_Harmonize(MPI_COMM_NULL, &flag), nowhere, MPI_ERR_COMM, "the communicator is MPI_COMM_NULL");
    CHECK_EQ(0, flag);
    MPIX_Harmonize_statistics statistics = {};
    statistics.calls = 7;
    check_error(MPIX_Harmonize_get_statistics(MPI_COMM_NULL, &statistics), nowhere, MPI_ERR_COMM, "MPI_COMM_NULL");
    CHECK_EQ(0U, statistics.calls);
    MPI_Info info = MPI_INFO_ENV;
    check_error(MPIX_Harmonize_get_info(MPI_COMM_NULL, &info), nowhere, MPI_ERR_COMM, "MPI_COMM_NULL");
    CHECK(info == MPI_INFO_NULL);
    MPI_Comm_set_errhandler(nowhere, before);
    MPI_Errhandler_free(&counting);
    MPI_Errhandler_free(&before);
}

TEST(a_constant_that_is_not_allowed_is_named_with_what_is) {
    const Counting counting;
    const MPI_Comm comm = counting.comm();
    check_error(set(comm, "ictus_harmonize_growth", "0.5"), comm, MPI_ERR_INFO_VALUE,
                "info key ictus_harmonize_growth");
    check_error(set(comm, "ictus_harmonize_cap", "soon"), comm, MPI_ERR_INFO_VALUE, "'soon'");
    check_error(set(comm, "ictus_harmonize_clocksync", "hca9"), comm, MPI_ERR_INFO_VALUE, "known are none, ictus, ");
    check_error(set(comm, "ictus_harmonize_clocksync", "none"), comm, MPI_ERR_INFO_VALUE, "gives no global time");
    check_error(set(comm, "ictus_harmonize_slack", "2ms"), comm, MPI_ERR_INFO_VALUE, "above its cap of 1.00 ms");
    check_error(set(comm, "ictus_harmonize_patience", "1"), comm, MPI_ERR_INFO_VALUE,
                "after ictus_harmonize_ may come slack growth shrink run cap clocksync expiry tolerance spacing clock");
    CHECK_EQ(MPI_SUCCESS, set(comm, "somebody_elses", "anything"));
    CHECK_EQ(0, handled);
}

TEST(so_is_one_of_the_environment) {
    const Counting counting;
    int flag = 1;
    setenv("ICTUS_HARMONIZE_EXPIRY", "never", 1);
    const int code = MPIX_Harmonize(counting.comm(), &flag);
    unsetenv("ICTUS_HARMONIZE_EXPIRY");
    check_error(code, counting.comm(), MPI_ERR_INFO_VALUE, "environment variable ICTUS_HARMONIZE_EXPIRY");
    CHECK_EQ(0, flag);
    CHECK_EQ(MPI_SUCCESS, MPIX_Harmonize(counting.comm(), &flag)); // nothing was kept
}

TEST(what_one_process_sets_wrong_is_an_error_of_all) {
    const Counting counting;
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(counting.comm(), &rank);
    MPI_Comm_size(counting.comm(), &size);
    check_error(set(counting.comm(), "ictus_harmonize_run", rank == size - 1 ? "0" : "5"), counting.comm(),
                MPI_ERR_INFO_VALUE, "rank " + std::to_string(size - 1) + ": ");
}

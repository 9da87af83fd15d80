/* SPDX-License-Identifier: MIT */
/* The worker of one of several ranks, which mpirun starts. */
#include "ranks/rank.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "error.h"
#include "memory.h"
#include "ranks/world.h"
#include "worker/child.h"
#include "version.h"

struct orr_rank {
    const struct orr_mpi *mpi;
    struct orr_mpi_place place;
    struct orr_ranks_board *board;
    struct orr_ranks *ranks;   /* connects `device`; NULL: nothing yet */
    struct orr_device *device; /* NULL: it could not be opened */
};

/* Bodies, results, board, stderr: copies from ABOVE on. */
enum { HANDED = 4, ABOVE = 64 };

static int connect_to(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(name);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (length < sizeof address.sun_path) /* its first character is 0 */
        memcpy(address.sun_path + 1, name, length);
    if (fd >= 0 && !connect(fd, (struct sockaddr *)&address,
                            (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length)))
        return fd;
    orr_fail(ORR_EUSAGE,
             "a rank does not find who started it (%s): it is on another machine, or "
             "was started by hand",
             strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

static int receive_files(int fd, int files[HANDED])
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(HANDED * sizeof(int))];
    } control = {0};
    char one;
    struct iovec data = {&one, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control.bytes};
    ssize_t got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
    const struct cmsghdr *header = got == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    if (!header || header->cmsg_len != CMSG_LEN(HANDED * sizeof(int)))
        return orr_fail(ORR_EIO, "a rank was handed nothing");
    memcpy(files, CMSG_DATA(header), HANDED * sizeof(int));
    return 0;
}

/* Before MPI opens files, whose numbers nobody may take. */
static int take_files(struct orr_rank *rank, int fd, struct orr_channel *out)
{
    int files[HANDED], code = receive_files(fd, files);
    if (code)
        return code;
    for (int k = 0; k < HANDED; k++)
        if (dup3(files[k], ABOVE + k, O_CLOEXEC) < 0)
            code = ORR_EIO;
    int channel = fcntl(fd, F_DUPFD_CLOEXEC, ABOVE + HANDED);
    for (int k = 0; !code && k < 2; k++)
        if (dup2(ABOVE + k, ORR_CHILD_INHERITED + k) < 0)
            code = ORR_EIO;
    void *board = mmap(NULL, sizeof *rank->board, PROT_READ | PROT_WRITE, MAP_SHARED, ABOVE + 2, 0);
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (code || channel < 0 || board == MAP_FAILED || dup2(ABOVE + 3, STDERR_FILENO) < 0 ||
        null < 0 || dup2(null, STDIN_FILENO) < 0)
        return orr_fail(ORR_EIO, "a rank cannot take what it is handed: %s", strerror(errno));
    rank->board = board;
    orr_child_channel_init(out, channel);
    return 0;
}

static int begin_mpi(struct orr_rank *rank)
{
    rank->mpi = orr_ranks_mpi();
    if (!rank->mpi)
        return orr_error_code();
    if (rank->mpi->begin(&rank->place))
        return orr_fail(ORR_EUNSUPPORTED, "MPI does not start: %s", rank->mpi->error());
    return 0;
}

int orr_rank_join(struct orr_rank **out, struct orr_channel *channel, const char *name)
{
    struct orr_rank *rank = *out = orr_memory_get(sizeof *rank);
    int fd = connect_to(name), code = fd < 0 ? ORR_EUSAGE : take_files(rank, fd, channel);
    if (fd >= 0 && fd != ORR_CHILD_INHERITED && fd != ORR_CHILD_INHERITED + 1)
        close(fd);
    if (code)
        return code;
    json_t *hello =
        begin_mpi(rank)
            ? json_pack("{s:s}", "failed", orr_error_text())
            : json_pack("{s:i, s:i, s:i, s:s, s:s}", "rank", rank->place.rank, "size",
                        rank->place.size, "pid", (int)getpid(), "build",
                        ORR_VERSION " " ORR_GIT_COMMIT, "library", rank->mpi->library());
    return orr_child_channel_send(channel, hello);
}

int orr_rank_own_device(char out[32], const struct orr_rank *rank, const char *first,
                        bool oversubscribe)
{
    struct orr_device_info infos[ORR_DEVICE_MOST];
    const int count = orr_device_list(infos, ORR_DEVICE_MOST);
    return orr_ranks_device(out, first, rank->place.local_rank, rank->place.local_size, infos,
                            count, oversubscribe);
}

int orr_rank_connect(struct orr_ranks **out, struct orr_rank *rank, struct orr_device *device,
                     void (*stage)(const char *name))
{
    int code = 0;
    if (!device || !rank->ranks || rank->device != device) {
        orr_ranks_close(rank->ranks);
        rank->device = device;
        code = orr_ranks_open(&rank->ranks, rank->mpi, &rank->place, device, rank->board, ABOVE + 2,
                              stage);
    }
    *out = rank->ranks;
    return code;
}

void orr_rank_leave(struct orr_rank *rank)
{
    rank->mpi->end();
}

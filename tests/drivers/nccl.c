/* SPDX-License-Identifier: MIT */
/* An NCCL whose ranks are threads of a test and whose devices' memory is the host's. What it is
 * called with is as in NVIDIA's header. */
#include "tests/drivers/nccl.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN __attribute__((visibility("default")))
enum { MOST = 8, MESSAGES = 16, FLOAT32 = 7, SUM = 0 };

struct message {
    int peer;
    const void *from; /* NULL: it receives */
    void *to;
    size_t bytes;
};
struct comm {
    int rank, size, count;
    struct message messages[MESSAGES];
};
struct id {
    char bytes[128];
};

SHOWN struct fake_nccl fake_nccl;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int here, meetings;
static struct comm comms[MOST], *team[MOST];
static const void *given[MOST];
/* Of the thread. */
static __thread struct comm *own;
static __thread int in_group;

static void meet(const struct comm *comm)
{
    pthread_mutex_lock(&lock);
    int meeting = meetings;
    if (++here == comm->size) {
        here = 0;
        meetings++;
        pthread_cond_broadcast(&all_here);
    }
    while (meeting == meetings)
        pthread_cond_wait(&all_here, &lock);
    pthread_mutex_unlock(&lock);
}

SHOWN int ncclGetVersion(int *out)
{
    *out = FAKE_NCCL_VERSION;
    return 0;
}

SHOWN int ncclGetUniqueId(struct id *out)
{
    memset(out, 'o', sizeof *out);
    return 0;
}

SHOWN const char *ncclGetErrorString(int error)
{
    return error == FAKE_NCCL_INVALID ? "invalid usage" : "unhandled system error";
}

SHOWN int ncclCommInitRank(struct comm **out, int size, struct id id, int rank)
{
    for (size_t k = 0; k < sizeof id.bytes; k++)
        if (id.bytes[k] != 'o')
            return FAKE_NCCL_INVALID;
    if (fake_nccl.refuses)
        return fake_nccl.refuses;
    *out = &comms[rank]; /* which nobody gives back */
    **out = (struct comm){.rank = rank, .size = size};
    team[rank] = own = *out;
    meet(own);
    return 0;
}

SHOWN int ncclAllGather(const char *from, char *to, size_t count, int type, struct comm *comm,
                        void *stream)
{
    fake_nccl.stream = stream;
    if (fake_nccl.refuses || type != FLOAT32)
        return fake_nccl.refuses ? fake_nccl.refuses : FAKE_NCCL_INVALID;
    given[comm->rank] = from;
    meet(comm);
    for (int k = 0; k < comm->size; k++)
        memmove(to + (size_t)k * 4 * count, given[k], 4 * count);
    meet(comm);
    return 0;
}

SHOWN int ncclReduceScatter(const float *from, float *to, size_t count, int type, int operation,
                            struct comm *comm, void *stream)
{
    fake_nccl.stream = stream;
    if (fake_nccl.refuses || type != FLOAT32 || operation != SUM)
        return fake_nccl.refuses ? fake_nccl.refuses : FAKE_NCCL_INVALID;
    given[comm->rank] = from;
    meet(comm);
    for (size_t i = 0; i < count; i++) {
        to[i] = 0;
        for (int k = 0; k < comm->size; k++)
            to[i] += ((const float *)given[k])[(size_t)comm->rank * count + i];
    }
    meet(comm);
    return 0;
}

static int queue(struct comm *comm, struct message message, int type)
{
    if (fake_nccl.refuses)
        return fake_nccl.refuses;
    if (type != FLOAT32 || !in_group || comm->count == MESSAGES)
        return FAKE_NCCL_INVALID;
    comm->messages[comm->count++] = message;
    return 0;
}

SHOWN int ncclSend(const void *from, size_t count, int type, int peer, struct comm *comm,
                   void *stream)
{
    fake_nccl.stream = stream;
    return queue(comm, (struct message){.peer = peer, .from = from, .bytes = 4 * count}, type);
}

SHOWN int ncclRecv(void *to, size_t count, int type, int peer, struct comm *comm, void *stream)
{
    fake_nccl.stream = stream;
    return queue(comm, (struct message){.peer = peer, .to = to, .bytes = 4 * count}, type);
}

SHOWN int ncclGroupStart(void)
{
    in_group = 1;
    return 0;
}

/* What the k-th message receives: of those that its peer sends here the one as late. */
static const struct message *sent_to(int k)
{
    const struct comm *peer = team[own->messages[k].peer];
    int before = 0;
    for (int i = 0; i < k; i++)
        before += !own->messages[i].from && own->messages[i].peer == own->messages[k].peer;
    for (int i = 0; i < peer->count; i++)
        if (peer->messages[i].from && peer->messages[i].peer == own->rank && !before--)
            return &peer->messages[i];
    return NULL;
}

SHOWN int ncclGroupEnd(void)
{
    int error = 0;
    in_group = 0;
    if (fake_nccl.refuses)
        return fake_nccl.refuses;
    meet(own);
    for (int k = 0; k < own->count; k++) {
        const struct message *message = own->messages[k].from ? NULL : sent_to(k);
        if (message && message->bytes == own->messages[k].bytes)
            memcpy(own->messages[k].to, message->from, message->bytes);
        else if (!own->messages[k].from)
            error = FAKE_NCCL_INVALID;
    }
    meet(own);
    own->count = 0;
    return error;
}

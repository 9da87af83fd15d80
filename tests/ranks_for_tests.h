/* SPDX-License-Identifier: MIT */
/* Ranks that are threads of a test: a communicator through memory, without MPI and its start. One
 * works at a time, until it waits for the others, so that they share a device. */
#ifndef ORR_TEST_RANKS_H
#define ORR_TEST_RANKS_H

#include <pthread.h>

#include "variant_run.h"

enum { MOST_RANKS = 8, MOST_PROGRAMS = 64 };

/* --- programs, of which each is built once for all ranks and runs --- */

static struct {
    const struct orr_device_ops *own;
    struct orr_device_ops ops;
    int count;
    struct {
        const char *text;
        char defines[256];
        struct orr_program *program;
    } of[MOST_PROGRAMS];
} programs;

static inline int build_once(struct orr_device *device, struct orr_program **out,
                             const struct orr_source *source, const char *defines)
{
    int k = 0;

    while (k < programs.count &&
           (programs.of[k].text != source->text || strcmp(programs.of[k].defines, defines)))
        k++;
    if (k == programs.count && k < MOST_PROGRAMS) {
        programs.of[k].text = source->text;
        snprintf(programs.of[k].defines, sizeof programs.of[k].defines, "%s", defines);
        if (programs.own->build(device, &programs.of[k].program, source, defines))
            return orr_error_code();
        programs.count++;
    }
    assert_true(k < programs.count);
    *out = programs.of[k].program;
    return 0;
}

static inline void keep_program(struct orr_device *device, struct orr_program *program)
{
    (void)program;
}

/* From now on the device's programs are kept, until drop_programs(). */
static inline void keep_programs(struct orr_device *device)
{
    programs.own = device->ops;
    programs.ops = *device->ops;
    programs.ops.build = build_once;
    programs.ops.drop = keep_program;
    device->ops = &programs.ops;
}

static inline void drop_programs(struct orr_device *device)
{
    device->ops = programs.own;
    while (programs.count)
        orr_drop(device, programs.of[--programs.count].program);
}

/* --- ranks --- */

struct rank_team {
    pthread_mutex_t turn;
    pthread_cond_t all_here;
    int size, here, meetings;
    char *board; /* what is gathered; grows */
    size_t room;
    struct {
        const struct orr_ranks_part *parts;
        int count;
        char *sent[512]; /* copies of what parts send */
    } says[MOST_RANKS];
};

struct rank_thread {
    struct orr_ranks base;
    struct rank_team *team;
    struct run run;
    const char *settings;
    int steps;
    struct orr_cost cost;
    pthread_t thread;
};

/* A rank that fails leaves the others waiting: nothing is left to do. */
static inline void rank_needs(int code, const char *what)
{
    if (!code)
        return;
    fprintf(stderr, "a rank fails in %s: %s\n", what, orr_error_text());
    _exit(1);
}

static inline struct rank_thread *rank_of(struct orr_ranks *ranks)
{
    return (struct rank_thread *)ranks;
}

static inline void ranks_meet(struct orr_ranks *ranks)
{
    struct rank_team *team = rank_of(ranks)->team;
    const int meeting = team->meetings;

    if (++team->here == team->size) {
        team->here = 0;
        team->meetings++;
        pthread_cond_broadcast(&team->all_here);
    }
    while (team->meetings == meeting)
        pthread_cond_wait(&team->all_here, &team->turn);
}

static inline int thread_barrier(struct orr_ranks *ranks)
{
    ranks_meet(ranks);
    return 0;
}

static inline int thread_gather(struct orr_ranks *ranks, struct orr_buffer *all, size_t bytes)
{
    struct rank_team *team = rank_of(ranks)->team;
    struct orr_device *device = rank_of(ranks)->run.job.device;
    const size_t own = (size_t)ranks->rank * bytes;

    ranks_meet(ranks);
    if (ranks->rank == 0 && team->room < (size_t)team->size * bytes)
        team->board = realloc(team->board, team->room = (size_t)team->size * bytes);
    ranks_meet(ranks);
    rank_needs(device->ops->peek(device, team->board + own, all, (ptrdiff_t)own, bytes), "gather");
    ranks_meet(ranks);
    for (int r = 0; r < team->size; r++)
        if (r != ranks->rank)
            rank_needs(device->ops->poke(device, all, (ptrdiff_t)((size_t)r * bytes),
                                         team->board + (size_t)r * bytes, bytes),
                       "gather");
    return 0;
}

static inline int thread_reduce(struct orr_ranks *ranks, struct orr_buffer *from,
                                struct orr_buffer *to, size_t floats)
{
    struct rank_team *team = rank_of(ranks)->team;
    struct orr_device *device = rank_of(ranks)->run.job.device;
    const size_t size = (size_t)team->size, all = size * floats;
    float *sums = calloc(floats + 1, sizeof *sums), *given;

    ranks_meet(ranks);
    if (ranks->rank == 0 && team->room < size * all * sizeof(float))
        team->board = realloc(team->board, team->room = size * all * sizeof(float));
    ranks_meet(ranks);
    given = (float *)(void *)team->board;
    rank_needs(
        device->ops->peek(device, given + (size_t)ranks->rank * all, from, 0, all * sizeof(float)),
        "reduce");
    ranks_meet(ranks);
    for (size_t r = 0; r < size; r++)
        for (size_t i = 0; i < floats; i++)
            sums[i] += given[r * all + (size_t)ranks->rank * floats + i];
    rank_needs(device->ops->poke(device, to, 0, sums, floats * sizeof(float)), "reduce");
    free(sums);
    return 0;
}

/* What `peer` sends in answer to this rank's k-th part from it. */
static inline const char *sent_by(const struct rank_team *team, int peer, int own, int k,
                                  size_t bytes)
{
    for (int part = 0; part < team->says[peer].count; part++) {
        const struct orr_ranks_part *p = &team->says[peer].parts[part];
        if (!p->sends || p->peer != own || k--)
            continue;
        if (p->bytes == bytes)
            return team->says[peer].sent[part];
        fprintf(stderr, "rank %d sends %zu bytes, rank %d expects %zu\n", peer, p->bytes, own,
                bytes);
        _exit(1);
    }
    fprintf(stderr, "rank %d waits for a message of rank %d in vain\n", own, peer);
    _exit(1);
}

static inline int thread_exchange(struct orr_ranks *ranks, const struct orr_ranks_part *parts,
                                  int count)
{
    struct rank_team *team = rank_of(ranks)->team;
    struct orr_device *device = rank_of(ranks)->run.job.device;
    int met[MOST_RANKS] = {0};

    assert_true(count <= 512);
    team->says[ranks->rank].parts = parts;
    team->says[ranks->rank].count = count;
    for (int k = 0; k < count; k++)
        if (parts[k].sends) {
            char *copy = team->says[ranks->rank].sent[k] = malloc(parts[k].bytes + 1);
            rank_needs(device->ops->peek(device, copy, parts[k].buffer, (ptrdiff_t)parts[k].at,
                                         parts[k].bytes),
                       "exchange");
        }
    ranks_meet(ranks);
    for (int k = 0; k < count; k++)
        if (!parts[k].sends) {
            const char *copy =
                sent_by(team, parts[k].peer, ranks->rank, met[parts[k].peer]++, parts[k].bytes);
            rank_needs(device->ops->poke(device, parts[k].buffer, (ptrdiff_t)parts[k].at, copy,
                                         parts[k].bytes),
                       "exchange");
        }
    ranks_meet(ranks);
    for (int k = 0; k < count; k++)
        if (parts[k].sends)
            free(team->says[ranks->rank].sent[k]);
    return 0;
}

static const struct orr_ranks_ops thread_ops = {.barrier = thread_barrier,
                                                .gather = thread_gather,
                                                .reduce = thread_reduce,
                                                .exchange = thread_exchange};

static inline void *work_as_rank(void *of)
{
    struct rank_thread *rank = of;
    struct run *r = &rank->run;
    const struct orr_variant *v = r->variant;
    struct orr_setting list[ORR_MAX_SETTINGS];
    char text[256];
    int count = 0;

    pthread_mutex_lock(&rank->team->turn);
    snprintf(text, sizeof text, "%s", rank->settings);
    for (char *save, *word = strtok_r(text, " ", &save); word;
         word = strtok_r(NULL, " ", &save), count++)
        sscanf(word, "%31[^=]=%63s", list[count].name, list[count].value);
    rank_needs(orr_params_fill(v, r->job.bodies, list, count, r->params), "params");
    rank_needs(v->prepare(&r->job), "prepare");
    rank_needs(v->upload(&r->job), "upload");
    for (int step = 0; step < rank->steps; step++) {
        /* As if it were: nothing that cannot be recorded is done. */
        r->job.device->recording = v->capabilities & ORR_REPLAYS && step > ORR_SETTLING_STEPS;
        rank_needs(v->step(&r->job), "step");
    }
    r->job.device->recording = false;
    rank_needs(v->fetch(&r->job, &r->out), "fetch");
    rank_needs(v->cost(&r->job, &rank->cost), "cost");
    v->release(&r->job);
    rank_needs(orr_device_check_guards(r->job.device), "release");
    pthread_mutex_unlock(&rank->team->turn);
    return NULL;
}

/* Results of `steps` steps on `size` ranks in *out, which the caller has from run_prepare() or the
 * like and gives back with run_release_ranks(). */
static inline void run_on_ranks(struct run *out, struct orr_cost *cost,
                                const struct orr_variant *variant, struct orr_device *device,
                                const struct orr_bodies *bodies, const char *settings, int size,
                                int steps)
{
    struct rank_team team = {
        .turn = PTHREAD_MUTEX_INITIALIZER, .all_here = PTHREAD_COND_INITIALIZER, .size = size};
    struct rank_thread ranks[MOST_RANKS];

    memset(out, 0, sizeof *out);
    out->variant = variant;
    out->job = (struct orr_job){.host = &host, .device = device, .bodies = bodies};
    assert_int_equal(orr_verify_make_forces(&out->out, bodies->n, true), 0);
    orr_verify_poison_forces(&out->out, bodies->n);
    out->out.has_phi = 0;
    memset(ranks, 0, sizeof ranks);
    for (int k = 0; k < size; k++) {
        struct rank_thread *r = &ranks[k];
        *r = (struct rank_thread){.base = {k, size, &thread_ops},
                                  .team = &team,
                                  .settings = settings,
                                  .steps = steps,
                                  .run = {.variant = variant, .job = out->job, .out = out->out}};
        r->run.job.ranks = size > 1 ? &r->base : NULL;
        r->run.job.state = calloc(1, variant->state_size);
        r->run.job.params = r->run.params = calloc(1, variant->params_size);
        assert_int_equal(pthread_create(&r->thread, NULL, work_as_rank, r), 0);
    }
    for (int k = 0; k < size; k++) {
        pthread_join(ranks[k].thread, NULL);
        free(ranks[k].run.job.state);
        if (k)
            free(ranks[k].run.params);
    }
    out->params = ranks[0].run.params;
    out->out.has_phi = ranks[0].run.out.has_phi;
    if (cost)
        *cost = ranks[0].cost;
    free(team.board);
}

static inline void run_release_ranks(struct run *out)
{
    orr_verify_release_forces(&out->out);
    free(out->params);
}

#endif

/* SPDX-License-Identifier: MIT */
/* Kernels are compiled ahead of the first cell, in several processes, where a GPU's kernel cache
 * knows them not yet. Which source a variant compiles with which defines, only its prepare() knows.
 * So each process is a referee of its own that takes cells as far as prepare() and the counting
 * build, and leaves what was compiled in the cache. A cell is tried once for each plugin and
 * device, whatever becomes of it: what crashes or hangs here is found out, and reported, by the
 * cell itself. */
#include "run/schedule.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "device/backend.h"
#include "error.h"
#include "json_member.h"
#include "ledger/journal.h"
#include "memory.h"
#include "plugin/plugin.h"
#include "worker/child.h"

enum {
    MOST_PROCESSES = 16, /* each has a context on the device, some 300 MB */
    LEAST_CELLS = 4,     /* fewer take no longer than the processes take to start */
    MOST_BODIES = 1 << 18,
};
static const double LONGEST_S = 30;

struct due {
    const struct orr_cell *cell;
    char key[65]; /* in the cache, once it was tried */
};

/* 0: none are wanted. ORRERY_COMPILERS asks for a number on any device; one core compiles no faster
 * ahead. */
static size_t processes_wanted(bool *any_device)
{
    const char *asked = getenv("ORRERY_COMPILERS");
    cpu_set_t cores;
    *any_device = asked && *asked;
    int count = *any_device                                  ? atoi(asked)
                : sched_getaffinity(0, sizeof cores, &cores) ? 0
                                                             : CPU_COUNT(&cores);
    if (count < (*any_device ? 1 : 2))
        return 0;
    return (size_t)(count < MOST_PROCESSES ? count : MOST_PROCESSES);
}

static bool compiles(const struct orr_cell *cell, const json_t *device, bool any_device)
{
    const bool runs = !cell->refused && !*cell->extrapolate_from && !cell->once &&
                      cell->ranks <= 1 && cell->n <= MOST_BODIES;
    return runs && device && !orr_json_is(device, "backend", "host") &&
           (any_device || orr_json_integer(device, "kind") == ORR_DEVICE_GPU);
}

/* Of everything that a cell's kernels depend on. */
static int name_key(char key[65], const struct orr_cell *cell, const json_t *device)
{
    char hash[65], n[32];
    if (orr_plugin_hash(hash, cell->variant))
        return orr_error_code();
    snprintf(n, sizeof n, "%llu%s", (unsigned long long)cell->n, cell->counts ? " counted" : "");
    json_t *settings = orr_params_settings_to_json(cell->settings, cell->setting_count);
    char *with = json_dumps(settings, JSON_COMPACT | JSON_SORT_KEYS),
         *on = json_dumps(device, JSON_COMPACT | JSON_SORT_KEYS);
    const char *const parts[] = {"compiled ahead", hash, cell->variant, with, n, on};
    orr_cache_key(key, parts, sizeof parts / sizeof *parts);
    free(with);
    free(on);
    json_decref(settings);
    return 0;
}

static int by_variant(const void *a, const void *b)
{
    const struct due *x = a, *y = b;
    const int order = strcmp(x->cell->variant, y->cell->variant);
    return order ? order : (x->cell > y->cell) - (x->cell < y->cell);
}

/* Cells of one variant stand together: a process that goes on to another one begins anew. */
static size_t list_due(struct due *out, const struct orr_schedule *s, bool any_device)
{
    json_t *met = json_object();
    size_t count = 0;
    for (size_t k = 0; k < s->count; k++) {
        const struct orr_cell *cell = &s->cells[k];
        const json_t *device = orr_journal_device(s->devices, cell->device);
        struct due *due = &out[count];
        bool wanted = false;
        for (int round = 1; round <= s->rounds; round++)
            wanted |= !(s->skip && s->skip[(size_t)(round - 1) * s->count + k]);
        if (!wanted || !compiles(cell, device, any_device) || name_key(due->key, cell, device) ||
            json_object_get(met, due->key))
            continue;
        due->cell = cell;
        json_object_set_new(met, due->key, json_true());
        char *tried = orr_cache_load(due->key, NULL, NULL);
        count += !tried;
        free(tried);
    }
    json_decref(met);
    orr_error_clear();
    qsort(out, count, sizeof *out, by_variant);
    return count;
}

static json_t *request_of(const struct due *due, size_t count)
{
    json_t *cells = json_array();
    for (size_t k = 0; k < count; k++)
        json_array_append_new(cells, json_pack("{s:o, s:s}", "cell", orr_cell_to_json(due[k].cell),
                                               "key", due[k].key));
    return json_pack("{s:s, s:o}", "ask", "compile", "cells", cells);
}

/* Waits for one process after the other until all have ended their part, or time is up.  */
static void compile(const struct orr_schedule *s, const struct due *due, size_t count,
                    size_t processes)
{
    const struct orr_child_plan plan = {s->program, "__referee", s->child_mask, NULL};
    struct orr_child children[MOST_PROCESSES];
    const double deadline = orr_clock_now() + LONGEST_S;
    bool interrupted = false;
    for (size_t k = 0; k < processes; k++) {
        const size_t first = k * count / processes, end = (k + 1) * count / processes;
        if (!orr_child_start(&children[k], &plan))
            orr_child_channel_send(&children[k].channel, request_of(due + first, end - first));
    }
    for (size_t k = 0; k < processes && !interrupted; k++) {
        json_t *answer = NULL;
        if (children[k].pid > 0)
            interrupted = orr_child_channel_receive(&children[k].channel, deadline, s->signals,
                                                    &answer) == ORR_HEARD_SIGNAL;
        json_decref(answer);
    }
    for (size_t k = 0; k < processes; k++) /* all before the first is waited for */
        if (children[k].pid > 0)
            kill(children[k].pid, SIGKILL);
    for (size_t k = 0; k < processes; k++)
        orr_child_shutdown(&children[k], true);
    orr_error_clear();
}

void orr_compile_ahead(const struct orr_schedule *s)
{
    bool any_device;
    char text[128];
    size_t processes = processes_wanted(&any_device);
    if (!processes || !s->devices)
        return;
    struct due *due = orr_memory_get((s->count + 1) * sizeof *due);
    const size_t count = list_due(due, s, any_device);
    if (count >= LEAST_CELLS || (count && any_device)) {
        processes = processes < count ? processes : count;
        snprintf(text, sizeof text, "compiling the kernels of %zu cells in %zu processes", count,
                 processes);
        if (s->remark)
            s->remark(s->context, text);
        compile(s, due, count, processes);
    }
    free(due);
}

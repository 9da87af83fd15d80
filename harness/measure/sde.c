#include "measure/sde.h"

#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "measure/papi.h"

/* Of sde_lib.h, which need not be there at build time. */
enum { COUNTS_FROM_START = 0, LONG_LONG = 0 };
static struct {
    void *(*init)(const char *library);
    int (*add)(void *handle, const char *event, int mode, int type, void *counter);
} lib;

/* The library keeps their addresses. */
enum { MOST = 128, NAME = 64 };
static struct {
    char name[NAME];
    long long total;
} events[MOST];
static int event_count;
static void *handle;

static char missing[200];

/* For all libraries to see: PAPI looks its functions up among those of the process. */
static void load(void)
{
    void *library = dlopen("libsde.so.1", RTLD_NOW | RTLD_GLOBAL);
    void *const found[] = {library ? dlsym(library, "papi_sde_init") : NULL,
                           library ? dlsym(library, "papi_sde_register_counter") : NULL};
    if (found[0] && found[1]) {
        memcpy(&lib.init, &found[0], sizeof found[0]);
        memcpy(&lib.add, &found[1], sizeof found[1]);
    } else
        snprintf(missing, sizeof missing, "libsde.so.1 %s; install libsde1 of PAPI 7",
                 library ? "is not PAPI's" : "is not installed");
}

int orr_sde_load(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return *missing ? orr_fail(ORR_EUNSUPPORTED, "%s", missing) : 0;
}

/* Its index; made known when it is new. */
static int event_named(const char *name, int *out)
{
    for (*out = 0; *out < event_count; (*out)++)
        if (!strcmp(events[*out].name, name))
            return 0;
    if (event_count == MOST)
        return orr_fail(ORR_EUNSUPPORTED, "more than %d software-defined events", MOST);
    if (!handle && !(handle = lib.init("orrery")))
        return orr_fail(ORR_EUNSUPPORTED, "libsde does not start");
    snprintf(events[event_count].name, NAME, "%s", name);
    int error = lib.add(handle, name, COUNTS_FROM_START, LONG_LONG, &events[event_count].total);
    if (error)
        return orr_fail(ORR_EUNSUPPORTED, "libsde refuses %s: error %d", name, error);
    event_count++;
    return 0;
}

/* "node interactions" becomes node_interactions: PAPI's names have no blanks. */
static void name_event(char out[NAME], const char *name)
{
    snprintf(out, NAME, "%s", name);
    for (char *c = out; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
}

/* --- what is counted, a set of events at a time --- */

enum { AT_ONCE = 32 };
struct batch {
    struct orr_papi_set set;
    int count, events[AT_ONCE];
    long long more[AT_ONCE];
};

/* Counts under PAPI what the batch holds, and reads it back. The events grow also where another
 * reader of this thread keeps PAPI from starting. */
static int count_batch(struct batch *batch, json_t *values)
{
    long long counted[AT_ONCE];
    int code = batch->count ? orr_papi_start(&batch->set) : 0;
    for (int k = 0; k < batch->count; k++)
        events[batch->events[k]].total += batch->more[k];
    if (code || !batch->count)
        return code;
    code = orr_papi_stop(&batch->set, counted);
    for (int k = 0; k < batch->count && !code; k++)
        if (json_object_set_new(values, events[batch->events[k]].name, json_integer(counted[k])))
            code = orr_fail(ORR_EMEMORY, "no memory for counters");
    return code;
}

static int add_to_batch(struct batch *batch, const char *name, long long more)
{
    char event[NAME], papi[NAME + 32];
    int *index = &batch->events[batch->count];
    name_event(event, name);
    int code = event_named(event, index);
    snprintf(papi, sizeof papi, "sde:::orrery::%s", event);
    if (!code)
        code = orr_papi_add(&batch->set, papi);
    if (!code)
        batch->more[batch->count++] = more;
    return code;
}

/* What an event can hold. */
static bool is_countable(double value)
{
    return value >= 0 && value < 0x1p62;
}

static int count_all(const json_t *counted, json_t *values)
{
    void *at = json_object_iter((json_t *)counted);
    int code = 0;
    while (at && !code) {
        struct batch batch = {.count = 0};
        code = orr_papi_open(&batch.set);
        for (; at && !code && batch.count < AT_ONCE;
             at = json_object_iter_next((json_t *)counted, at)) {
            const json_t *value = json_object_iter_value(at);
            double number = json_number_value(value);
            if (is_countable(number))
                code = add_to_batch(&batch, json_object_iter_key(at),
                                    json_is_integer(value) ? json_integer_value(value)
                                                           : (long long)number);
        }
        if (!code)
            code = count_batch(&batch, values);
        orr_papi_close(&batch.set);
    }
    return code;
}

json_t *orr_sde_count(const json_t *counted)
{
    json_t *values = json_object(), *answer;
    int code = values ? orr_sde_load() : orr_fail(ORR_EMEMORY, "no memory for counters");
    if (!code)
        code = orr_papi_ready();
    if (!code)
        code = count_all(counted, values);
    answer = code ? json_pack("{s:s, s:[s], s:s}", "source", "sde", "groups", "work", "reason",
                              orr_error_text())
                  : json_pack("{s:s, s:[s], s:O, s:{}}", "source", "sde", "groups", "work",
                              "values", values, "raw");
    json_decref(values);
    if (code)
        orr_error_clear();
    return answer;
}

int orr_sde_try(void)
{
    static const char probe[] = "probe";
    json_t *counted = json_pack("{s:i}", probe, 1), *answer = orr_sde_count(counted);
    const char *reason = json_string_value(json_object_get(answer, "reason"));
    json_int_t read = json_integer_value(json_object_get(json_object_get(answer, "values"), probe));
    int code = 0;
    if (reason)
        code = orr_fail(ORR_EUNSUPPORTED, "%s", reason);
    else if (read != 1)
        code = orr_fail(ORR_EUNSUPPORTED, "PAPI reads %lld of an event that counted 1",
                        (long long)read);
    json_decref(counted);
    json_decref(answer);
    return code;
}

/* --- the source --- */

static bool counts_no_step(const struct orr_device_info *device)
{
    (void)device;
    return false;
}

static const struct orr_counter_group groups[] = {
    {"work", "interactions, figures and counts of the counting build, as events of PAPI"},
    {NULL, NULL}};

const struct orr_counter_source orr_sde_source = {
    .name = "sde", .groups = groups, .suits = counts_no_step};

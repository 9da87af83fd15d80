#include "measure/counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

#ifdef ORR_HAVE_PAPI
#include <papi.h>
#include <pthread.h>

/* PAPI presets worth counting in an N-body step, most useful first: hardware counts only a few at
 * once. */
static const int wanted[] = {PAPI_TOT_CYC, PAPI_TOT_INS, PAPI_SP_OPS, PAPI_VEC_SP,  PAPI_FP_OPS,
                             PAPI_L1_DCM,  PAPI_L2_TCM,  PAPI_L3_TCM, PAPI_RES_STL, PAPI_BR_MSP};
enum { WANTED = sizeof wanted / sizeof *wanted };

struct orr_counters {
    int set;
    int count;
    int events[WANTED];
};

static char missing[160];
static int usable;

static void initialise(void)
{
    int version = PAPI_library_init(PAPI_VER_CURRENT);
    if (version != PAPI_VER_CURRENT) {
        snprintf(missing, sizeof missing, "PAPI does not start (error %d)", version);
        return;
    }
    for (int k = 0; k < WANTED; k++)
        usable += PAPI_query_event(wanted[k]) == PAPI_OK;
    if (!usable)
        snprintf(missing, sizeof missing,
                 "no hardware counters: the kernel gives none (a virtual machine, or "
                 "kernel.perf_event_paranoid > 2)");
}

static int ready(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, initialise);
    return usable;
}

const char *orr_counters_missing(void)
{
    ready();
    return missing;
}

int orr_counters_list(int (*each)(const char *name, const char *what, void *context), void *context)
{
    int code = 0;
    if (!ready())
        return 0;
    for (int k = 0; k < WANTED && !code; k++) {
        PAPI_event_info_t info;
        if (PAPI_query_event(wanted[k]) == PAPI_OK &&
            PAPI_get_event_info(wanted[k], &info) == PAPI_OK)
            code = each(info.symbol, info.long_descr, context);
    }
    return code;
}

/* Also counts threads that this one makes, where the kernel can. */
static void inherit(int set)
{
    PAPI_option_t option;
    memset(&option, 0, sizeof option);
    option.inherit.inherit = PAPI_INHERIT_ALL;
    option.inherit.eventset = set;
    if (PAPI_assign_eventset_component(set, 0) == PAPI_OK)
        PAPI_set_opt(PAPI_INHERIT, &option);
}

int orr_counters_start(struct orr_counters **out, const struct orr_device_info *info)
{
    *out = NULL;
    if (strcmp(info->backend, "host") || !ready())
        return 0;
    struct orr_counters *c = calloc(1, sizeof *c);
    if (!c)
        return orr_fail(ORR_EMEMORY, "no memory for the counters");
    c->set = PAPI_NULL;
    if (PAPI_create_eventset(&c->set) == PAPI_OK) {
        inherit(c->set);
        for (int k = 0; k < WANTED; k++)
            if (PAPI_add_event(c->set, wanted[k]) == PAPI_OK)
                c->events[c->count++] = wanted[k];
    }
    if (!c->count || PAPI_start(c->set) != PAPI_OK) {
        json_decref(orr_counters_stop(c));
        return 0; /* a counter that fails is left out */
    }
    *out = c;
    return 0;
}

json_t *orr_counters_stop(struct orr_counters *c)
{
    json_t *out = json_object();
    long long values[WANTED] = {0};
    if (!c)
        return out;
    int counted = PAPI_stop(c->set, values) == PAPI_OK;
    for (int k = 0; out && counted && k < c->count; k++) {
        char name[PAPI_MAX_STR_LEN];
        if (PAPI_event_code_to_name(c->events[k], name) == PAPI_OK)
            json_object_set_new(out, name, json_integer(values[k]));
    }
    if (c->set != PAPI_NULL) {
        PAPI_cleanup_eventset(c->set);
        PAPI_destroy_eventset(&c->set);
    }
    free(c);
    return out;
}

#else

const char *orr_counters_missing(void)
{
    return "this build has no PAPI: install libpapi-dev and build again";
}

int orr_counters_list(int (*each)(const char *name, const char *what, void *context), void *context)
{
    (void)each, (void)context;
    return 0;
}

int orr_counters_start(struct orr_counters **out, const struct orr_device_info *info)
{
    (void)info;
    *out = NULL;
    return 0;
}

json_t *orr_counters_stop(struct orr_counters *counters)
{
    (void)counters;
    return json_object();
}

#endif

#include "measure/papi.h"

#include <stdio.h>

#include "error.h"

#ifdef ORR_HAVE_PAPI
#include <papi.h>
#include <pthread.h>

#include "measure/sde.h"

static char missing[160];

static void initialise(void)
{
    orr_sde_load(); /* PAPI looks for it while it starts, and never again */
    int version = PAPI_library_init(PAPI_VER_CURRENT);
    if (version != PAPI_VER_CURRENT)
        snprintf(missing, sizeof missing, "PAPI does not start: %s",
                 version > 0 ? "it is of another version than this build" : PAPI_strerror(version));
}

int orr_papi_ready(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, initialise);
    return *missing ? orr_fail(ORR_EUNSUPPORTED, "%s", missing) : 0;
}

static int failed(const char *what, int error)
{
    return orr_fail(ORR_EUNSUPPORTED, "PAPI cannot %s: %s", what, PAPI_strerror(error));
}

int orr_papi_open(struct orr_papi_set *out)
{
    out->id = PAPI_NULL;
    int code = orr_papi_ready(), error = code ? PAPI_OK : PAPI_create_eventset(&out->id);
    return error == PAPI_OK ? code : failed("make a set of events", error);
}

int orr_papi_inherit(const struct orr_papi_set *set)
{
    PAPI_option_t option = {
        .inherit = {.inherit = PAPI_INHERIT_ALL, .eventset = set->id},
    };
    int error = PAPI_assign_eventset_component(set->id, 0);
    if (error == PAPI_OK)
        error = PAPI_set_opt(PAPI_INHERIT, &option);
    return error == PAPI_OK ? 0 : failed("count other threads", error);
}

int orr_papi_add(const struct orr_papi_set *set, const char *event)
{
    int error = PAPI_add_named_event(set->id, event);
    return error == PAPI_OK
               ? 0
               : orr_fail(ORR_EUNSUPPORTED, "PAPI has no %s: %s", event, PAPI_strerror(error));
}

int orr_papi_remove(const struct orr_papi_set *set, const char *event)
{
    int error = PAPI_remove_named_event(set->id, event);
    return error == PAPI_OK ? 0 : failed("leave out an event", error);
}

int orr_papi_start(const struct orr_papi_set *set)
{
    int error = PAPI_start(set->id);
    return error == PAPI_OK ? 0 : failed("start", error);
}

int orr_papi_stop(const struct orr_papi_set *set, long long *values)
{
    int error = PAPI_stop(set->id, values);
    return error == PAPI_OK ? 0 : failed("stop", error);
}

void orr_papi_close(struct orr_papi_set *set)
{
    if (set->id == PAPI_NULL)
        return;
    PAPI_cleanup_eventset(set->id);
    PAPI_destroy_eventset(&set->id);
}

#else

int orr_papi_ready(void)
{
    return orr_fail(ORR_EUNSUPPORTED,
                    "this build has no PAPI; install libpapi-dev and build again");
}

int orr_papi_open(struct orr_papi_set *out)
{
    out->id = -1;
    return orr_papi_ready();
}

int orr_papi_inherit(const struct orr_papi_set *set)
{
    (void)set;
    return orr_papi_ready();
}

int orr_papi_add(const struct orr_papi_set *set, const char *event)
{
    (void)set, (void)event;
    return orr_papi_ready();
}

int orr_papi_remove(const struct orr_papi_set *set, const char *event)
{
    (void)set, (void)event;
    return orr_papi_ready();
}

int orr_papi_start(const struct orr_papi_set *set)
{
    (void)set;
    return orr_papi_ready();
}

int orr_papi_stop(const struct orr_papi_set *set, long long *values)
{
    (void)set, (void)values;
    return orr_papi_ready();
}

void orr_papi_close(struct orr_papi_set *set)
{
    (void)set;
}

#endif

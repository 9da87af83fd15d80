#include "run/schedule_access.h"

#include <stdio.h>
#include <string.h>

#include "error.h"
#include "json_member.h"
#include "measure/access.h"

/* What is measured now. */
struct ask {
    const struct orr_schedule *schedule;
    const struct orr_access_plan *plan;
    const struct orr_device_info *device;
    char given_up[512]; /* why nothing more is measured; "": go on */
    bool interrupted;
};

/* A new answer, or NULL with why in `reason`. */
static json_t *ask(struct ask *a, const char *kind, char *reason, size_t size)
{
    const struct orr_schedule *s = a->schedule;
    json_t *answer = NULL;
    json_t *request =
        json_pack("{s:s, s:s, s:b, s:s*, s:s*}", "ask", "access", "device", a->device->id, "quick",
                  a->plan->quick, "kind", kind, "defines", a->plan->defines);
    if (orr_schedule_have_referee(s)) {
        json_decref(request);
        snprintf(a->given_up, sizeof a->given_up, "%s", orr_error_text());
        return NULL;
    }
    enum orr_heard heard =
        orr_child_ask(s->child, request, a->plan->timeout_s, s->signals, NULL, NULL, &answer);
    a->interrupted = heard == ORR_HEARD_SIGNAL;
    if (heard != ORR_HEARD_MESSAGE)
        orr_child_reap(s->child, reason, size);
    if (heard == ORR_HEARD_TIMEOUT)
        snprintf(reason, size, "no result within %g s; --timeout S allows more",
                 a->plan->timeout_s);
    return answer;
}

/* Its rates, or reasons for all of its degrees. */
static json_t *measure(struct ask *a, const char *kind)
{
    char reason[512] = "";
    json_t *answer = *a->given_up ? NULL : ask(a, kind, reason, sizeof reason);
    json_t *rates = json_incref(json_object_get(answer, "rates"));
    const char *text = orr_json_text(answer, "text");
    if (answer && !rates)
        snprintf(reason, sizeof reason, "%s", text ? text : "the answer is damaged");
    /* A worker that crashed is replaced; one that cannot begin, will not with the next kind
     * either. */
    if (answer && !rates && orr_json_integer(answer, "code") != ORR_EINTERNAL)
        snprintf(a->given_up, sizeof a->given_up, "%s", reason);
    json_decref(answer);
    return json_is_array(rates) ? rates
                                : orr_access_refuse(kind, *a->given_up ? a->given_up : reason);
}

static json_t *begin_record(const struct ask *a, int round)
{
    return json_pack("{s:s, s:s, s:s, s:i}", "record", "access_ceilings", "device", a->device->id,
                     "device_name", a->device->name, "round", round);
}

static void add_sensors(struct ask *a, json_t *record)
{
    char reason[512];
    json_t *answer = *a->given_up ? NULL : ask(a, NULL, reason, sizeof reason);
    json_t *sensors = json_object_get(answer, "sensors");
    json_t *clock = json_object_get(sensors, "clock_mhz_median");
    if (clock)
        json_object_set(record, "clock_mhz", clock);
    if (sensors)
        json_object_set(record, "sensors", sensors);
    json_decref(answer);
}

/* A new record; NULL when interrupted. */
static json_t *make_record(struct ask *a, int round)
{
    json_t *record = begin_record(a, round), *rates = json_array();
    for (size_t k = 0; !a->interrupted && orr_access_kind(k); k++) {
        json_t *found = measure(a, orr_access_kind(k));
        json_array_extend(rates, found);
        json_decref(found);
    }
    if (!a->interrupted)
        add_sensors(a, record);
    json_object_set_new(record, "rates", rates);
    if (!a->interrupted)
        return record;
    json_decref(record);
    return NULL;
}

bool orr_schedule_is_of_ceilings(const struct orr_request *request)
{
    return request->what_count == 1 && !strcmp(request->what[0], ORR_CEILINGS);
}

size_t orr_schedule_access_rates(const json_t *record)
{
    size_t k, count = 0;
    json_t *rate;
    json_array_foreach(json_object_get(record, "rates"), k, rate)
    {
        count += json_is_number(json_object_get(rate, "rate"));
    }
    return count;
}

static int run_device(const struct orr_schedule *s, const struct orr_access_plan *plan, int round,
                      size_t place, struct orr_tally *out)
{
    struct ask a = {.schedule = s, .plan = plan, .device = plan->devices[place]};
    if (plan->before)
        plan->before(s->context, round, a.device);
    json_t *record = make_record(&a, round);
    out->interrupted = a.interrupted;
    if (!record)
        return 0;
    int code = orr_schedule_keep(s, record);
    if (!code) {
        orr_schedule_count(out, orr_schedule_access_rates(record) ? "ok" : "failed");
        out->left--;
    }
    if (!code && plan->after)
        plan->after(s->context, round, record);
    json_decref(record);
    return code;
}

int orr_schedule_access(const struct orr_schedule *s, const struct orr_access_plan *plan,
                        struct orr_tally *out)
{
    const size_t all = (size_t)s->rounds * plan->count;
    int code = 0;
    *out = (struct orr_tally){0};
    for (size_t k = 0; k < all; k++)
        out->left += !plan->skip[k];
    for (size_t k = 0; k < all && !code && !out->interrupted; k++) {
        if (k % plan->count == 0)
            orr_schedule_begin_round(s);
        if (!plan->skip[k])
            code = run_device(s, plan, (int)(k / plan->count) + 1, k % plan->count, out);
    }
    return code;
}

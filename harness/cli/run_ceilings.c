/* `orrery run ceilings`: what each access costs a device. A run like those of cells, but that its
 * rounds measure devices. */
#include "cli/cli.h"
#include "cli/run_parts.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "json_member.h"

static const char word[] = ORR_CEILINGS;
static const double KIND_TIMEOUT_S = 120;
/* Of a round, for the estimate. */
static const double ROUND_S = 25, QUICK_ROUND_S = 8;

int orr_run_check_ceilings(const struct orr_run_options *o)
{
    bool named = false;
    for (int k = 0; k < o->what.count; k++)
        named |= !strcmp(o->what.items[k], word);
    if (!named)
        return 0;
    if (o->what.count > 1)
        return orr_fail(ORR_EUSAGE, "ceilings are a run of their own: orrery run %s", word);
    if (o->asks_cells)
        return orr_fail(ORR_EUSAGE,
                        "`run %s` takes --device, --preset, --repeats, --timeout, "
                        "--continue, --dry-run, --no-wait, --json, "
                        "--machine and -o",
                        word);
    return 0;
}

static bool is_quick(const struct orr_run *run)
{
    return run->request.preset && !strcmp(run->request.preset, "smoke");
}

int orr_run_plan_ceilings(struct orr_run *run)
{
    const struct orr_device_probe *found = &run->session.devices;
    run->plan.rounds = run->request.repeats > 0 ? run->request.repeats : 1;
    int code = orr_plan_devices(run->ceilings.devices, &run->ceilings.count, &run->request,
                                found->devices, found->count);
    return code || run->ceilings.count ? code
                                       : orr_fail(ORR_EUNSUPPORTED, "there is no device here");
}

/* The record of the device and round, or NULL. */
static json_t *record_of(const struct orr_run *run, size_t device, int round)
{
    size_t k;
    json_t *record;
    json_array_foreach(json_object_get(run->records.access, run->ceilings.devices[device]->id), k,
                       record)
    {
        if (orr_json_integer(record, "round") == round)
            return record;
    }
    return NULL;
}

void orr_run_mark_ceilings(struct orr_run *run)
{
    const size_t count = run->ceilings.count, all = count * (size_t)run->plan.rounds;
    run->skip = orr_memory_get(all * sizeof *run->skip);
    for (size_t k = 0; k < all; k++) {
        const json_t *record = record_of(run, k % count, (int)(k / count) + 1);
        run->skip[k] = record && !(run->options.failed && !orr_schedule_access_rates(record));
    }
}

/* Rounds that are left. */
static int left_on(const struct orr_run *run, size_t device)
{
    int left = 0;
    for (int round = 0; round < run->plan.rounds; round++)
        left += !run->skip[(size_t)round * run->ceilings.count + device];
    return left;
}

bool orr_run_ceilings_use(const struct orr_run *run, const char *device)
{
    for (size_t k = 0; k < run->ceilings.count; k++)
        if (!strcmp(run->ceilings.devices[k]->id, device))
            return left_on(run, k) > 0;
    return false;
}

void orr_run_print_ceilings_plan(const struct orr_run *run)
{
    char time[32];
    double seconds = 0;
    for (size_t k = 0; k < run->ceilings.count; k++) {
        const struct orr_device_info *device = run->ceilings.devices[k];
        const int left = left_on(run, k);
        seconds += left * (is_quick(run) ? QUICK_ROUND_S : ROUND_S);
        if (run->options.json)
            printf("{\"device\":\"%s\",\"rounds\":%d}\n", device->id, left);
        else
            printf("%s %s, %s, %d round%s\n", word, device->id, device->name, left,
                   left == 1 ? "" : "s");
    }
    fprintf(run->options.json ? stderr : stdout, "about %s\n",
            orr_progress_duration(time, sizeof time, seconds));
}

static void before(void *context, int round, const struct orr_device_info *device)
{
    const struct orr_run *run = context;
    fprintf(stderr, "%s of %s (%s), round %d of %d\n", word, device->id, device->name, round,
            run->plan.rounds);
}

static void after(void *context, int round, json_t *record)
{
    const struct orr_run *run = context;
    size_t rates = orr_schedule_access_rates(record);
    (void)round;
    fprintf(stderr, "%zu rates, %zu with a reason in their place\n", rates,
            json_array_size(json_object_get(record, "rates")) - rates);
    if (!run->options.json)
        return;
    orr_cli_print_line(stdout, record);
    fflush(stdout);
}

int orr_run_measure_ceilings(struct orr_run *run, const struct orr_schedule *schedule,
                             struct orr_tally *out)
{
    const size_t all = run->ceilings.count * (size_t)run->plan.rounds;
    const struct orr_access_plan plan = {
        .devices = run->ceilings.devices,
        .count = run->ceilings.count,
        .skip = run->skip,
        .quick = is_quick(run),
        .timeout_s = run->request.timeout_s > 0 ? run->request.timeout_s : KIND_TIMEOUT_S,
        .before = before,
        .after = after};
    int earlier = 0;
    for (size_t k = 0; k < all; k++) {
        earlier += run->skip[k];
        if (run->skip[k] && run->options.json)
            orr_cli_print_line(stdout, record_of(run, k % plan.count, (int)(k / plan.count) + 1));
    }
    int code = orr_schedule_access(schedule, &plan, out);
    out->ok += earlier;
    return code;
}

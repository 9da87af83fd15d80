#include "measure/counter_plan.h"

#include <string.h>
#include <stdlib.h>

#include "error.h"
#include "names.h"

int orr_counter_plan_fail(orr_cu_enum error, const char *what)
{
    static const struct {
        orr_cu_enum error;
        const char *remedy;
    } remedies[] = {
        {ORR_CUPTI_PRIVILEGES,
         "the driver keeps counters for administrators (Nsight Compute says ERR_NVGPUCTRPERM): run "
         "as root, or load the module nvidia with NVreg_RestrictProfilingToAdminUsers=0; a "
         "container also needs --cap-add SYS_ADMIN"},
        {ORR_CUPTI_VIRTUALIZED_PRIVILEGES,
         "the host of this virtual GPU does not let it profile: have its administrator enable "
         "profiling for the virtual machine"},
        {ORR_CUPTI_VIRTUALIZED, "a virtual GPU has no counters: use a GPU that is passed through"},
        {ORR_CUPTI_CONFIDENTIAL, "confidential computing forbids counters: switch it off"},
        {ORR_CUPTI_MIG, "a MIG instance gives no such counters: use the whole GPU"},
        {ORR_CUPTI_WSL, "WSL gives no counters: use Linux itself, or allow them in the driver of "
                        "Windows"},
        {ORR_CUPTI_CHIP, "this libcupti does not know the chip: install a newer one"},
        {ORR_CUPTI_HARDWARE_BUSY,
         "another profiler holds the counters: end it, or pause DCGM with `dcgmi profile --pause`"},
        {ORR_CUPTI_SUBSCRIBERS, "another profiler is attached to this process: run without it"},
        {ORR_CUPTI_NOT_INITIALIZED,
         "libcupti did not find libnvperf_host.so: keep it in the folder of libcupti"},
        {ORR_CUPTI_UNKNOWN,
         "this libcupti may need a driver, or another one; ORRERY_CUPTI names another libcupti"},
    };
    const char *name = NULL, *remedy = NULL;
    const struct orr_cupti_api *cupti = orr_cuda_load_cupti(NULL);
    if (!cupti || cupti->error_string(error, &name))
        name = NULL;
    for (size_t k = 0; k < sizeof remedies / sizeof *remedies; k++)
        if (remedies[k].error == error)
            remedy = remedies[k].remedy;
    return orr_fail(ORR_EUNSUPPORTED, "%s: %s (%u)%s%s", what, name ? name : "CUPTI fails", error,
                    remedy ? "; " : "", remedy ? remedy : "");
}

static int load(const struct orr_cupti_profiler_api **api)
{
    const char *why;
    *api = orr_cuda_load_profiler(&why);
    return *api ? 0 : orr_fail(ORR_EUNSUPPORTED, "%s", why);
}

int orr_counter_plan_check_chip(const char *chip)
{
    const struct orr_cupti_profiler_api *api;
    struct orr_cupti_chips chips = ORR_CUPTI_PARAMS(orr_cupti_chips, names, .priv = NULL);
    int code = load(&api);
    if (code)
        return code;
    orr_cu_enum error = api->chips(&chips);
    if (error)
        return orr_counter_plan_fail(error, "the list of chips");
    for (size_t k = 0; k < chips.count; k++)
        if (!strcmp(chips.names[k], chip))
            return 0;
    return orr_names_fail("CUPTI knows no chip", chip, chips.names, chips.count,
                          sizeof *chips.names);
}

static int open_host(struct orr_counter_plan *plan, const char *chip, const uint8_t *availability)
{
    struct orr_cupti_host_open open =
        ORR_CUPTI_PARAMS(orr_cupti_host_open, host, .type = ORR_CUPTI_RANGE_PROFILER, .chip = chip,
                         .availability = availability);
    orr_cu_enum error = plan->api->host_open(&open);
    plan->host = open.host;
    return error ? orr_counter_plan_fail(error, chip) : 0;
}

static void close_host(struct orr_counter_plan *plan)
{
    struct orr_cupti_host_close close =
        ORR_CUPTI_PARAMS(orr_cupti_host_close, host, .host = plan->host);
    if (plan->host)
        plan->api->host_close(&close);
    plan->host = NULL;
}

static orr_cu_enum add_metrics(const struct orr_counter_plan *plan, const char **names, int count)
{
    struct orr_cupti_add_metrics add = ORR_CUPTI_PARAMS(
        orr_cupti_add_metrics, count, .host = plan->host, .names = names, .count = (size_t)count);
    return plan->api->add_metrics(&add);
}

/* A chip without a memory of its own lacks what counts it. Each name is tried on its own, in an
 * object that is closed then: what was added stays. */
static int keep_known(struct orr_counter_plan *plan, const char *chip, const uint8_t *availability)
{
    struct orr_counter_names known = {.count = 0};
    orr_cu_enum error = 0;
    int code = open_host(plan, chip, availability);
    for (int k = 0; !code && k < plan->names.count; k++) {
        error = add_metrics(plan, &plan->names.items[k], 1);
        if (!error)
            known.items[known.count++] = plan->names.items[k];
    }
    close_host(plan);
    plan->names = known;
    return code || known.count ? code : orr_counter_plan_fail(error, "no metric is there");
}

static int make_image(struct orr_counter_plan *plan)
{
    struct orr_cupti_image_size size =
        ORR_CUPTI_PARAMS(orr_cupti_image_size, bytes, .host = plan->host);
    orr_cu_enum error = plan->api->image_size(&size);
    if (error)
        return orr_counter_plan_fail(error, "the configuration of counters");
    plan->bytes = size.bytes;
    plan->image = calloc(1, size.bytes + 1);
    if (!plan->image)
        return orr_fail(ORR_EMEMORY, "no memory for %zu bytes of counters", size.bytes);
    struct orr_cupti_image image = ORR_CUPTI_PARAMS(orr_cupti_image, image, .host = plan->host,
                                                    .bytes = plan->bytes, .image = plan->image);
    struct orr_cupti_passes passes =
        ORR_CUPTI_PARAMS(orr_cupti_passes, passes, .bytes = plan->bytes, .image = plan->image);
    error = plan->api->image(&image);
    if (!error)
        error = plan->api->passes(&passes);
    plan->passes = passes.passes;
    return error ? orr_counter_plan_fail(error, "the passes of counters") : 0;
}

int orr_counter_plan_make(struct orr_counter_plan *out, const char *chip,
                          const uint8_t *availability, enum orr_counter_kind kind, uint32_t wanted)
{
    *out = (struct orr_counter_plan){.passes = 0};
    int code = load(&out->api);
    if (code)
        return code;
    orr_counter_metrics_names(&out->names, kind, wanted);
    code = keep_known(out, chip, availability);
    if (!code)
        code = open_host(out, chip, availability);
    orr_cu_enum error = code ? 0 : add_metrics(out, out->names.items, out->names.count);
    if (error)
        code = orr_counter_plan_fail(error, "metrics together");
    return code ? code : make_image(out);
}

void orr_counter_plan_release(struct orr_counter_plan *plan)
{
    if (plan->api)
        close_host(plan);
    free(plan->image);
    *plan = (struct orr_counter_plan){.passes = 0};
}

/* SPDX-License-Identifier: MIT */
/* A CUPTI without a GPU: it hands out the records that FAKE_CUPTI lists, "start-end" in nanoseconds
 * with commas between, as kernels; "x" is a record of another kind. What is behind a "/" waits for
 * a forced flush. "!" in front: they are handed out once. "refuse" refuses to trace.
 *
 * Its range profiler counts on the chip FK100, by what FAKE_PROFILER says: "passes=2" wants so
 * many, "more=1" then wants so many more than it planned; "CALL=35" fails in that call with that
 * code; "zero=1" counts nothing, "lacks=dram" lacks metrics with that in their names, "drop=1"
 * drops a range, "vgpu=2" says that of the device. What it is asked to do goes to the file
 * FAKE_PROFILER_LOG. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/device/cuda_abi.h"

struct record {
    uint32_t kind, other[3];
    uint64_t start, end;
    char more[184]; /* as long as a real one */
};
enum { KERNEL = 10, OTHER = 1, REFUSED = 39, LIST_ENDS = 12 };

typedef void request(uint8_t **buffer, size_t *size, size_t *most);
typedef void complete(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t used);
static request *ask;
static complete *give;
static int on;

unsigned cuptiGetVersion(uint32_t *version)
{
    *version = 1;
    return 0;
}

unsigned cuptiGetResultString(unsigned error, const char **text)
{
    *text = error == REFUSED ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED" : "some error";
    return 0;
}

unsigned cuptiActivityRegisterCallbacks(request *lend, complete *take)
{
    ask = lend;
    give = take;
    return 0;
}

unsigned cuptiActivityEnable(unsigned kind)
{
    const char *how = getenv("FAKE_CUPTI");
    on = kind == KERNEL;
    return how && !strcmp(how, "refuse") ? REFUSED : 0;
}

unsigned cuptiActivityDisable(unsigned kind)
{
    on &= kind != KERNEL;
    return 0;
}

unsigned cuptiActivityFlushAll(uint32_t forced)
{
    const char *at = getenv("FAKE_CUPTI");
    uint8_t *buffer;
    size_t size, most, used = 0;
    if (at && strchr(at, '/'))
        at = forced ? strchr(at, '/') + 1 : at;
    else if (forced)
        return 0;
    if (!at || !on)
        return 0;
    const int once = *at == '!';
    at += once;
    ask(&buffer, &size, &most);
    while (*at && *at != '/' && used + sizeof(struct record) <= size) {
        struct record *record = (struct record *)(buffer + used);
        char *rest = (char *)at + 1;
        memset(record, 0xee, sizeof *record);
        record->kind = *at == 'x' ? OTHER : KERNEL;
        if (*at != 'x') {
            record->start = strtoull(at, &rest, 10);
            record->end = strtoull(rest + 1, &rest, 10);
        }
        used += sizeof *record;
        at = rest + (*rest == ',');
    }
    give(NULL, 0, buffer, size, used);
    if (once)
        unsetenv("FAKE_CUPTI");
    return 0;
}

unsigned cuptiActivityGetNextRecord(uint8_t *buffer, size_t used, struct record **record)
{
    uint8_t *next = *record ? (uint8_t *)(*record + 1) : buffer;
    if (next + sizeof **record > buffer + used)
        return LIST_ENDS;
    *record = (struct record *)next;
    return 0;
}

/* --- the range profiler --- */

static int is_open; /* the host object, the range, a pass */
static int taken;
static uint8_t *lent; /* where the counters go */

static void note(const char *what)
{
    const char *path = getenv("FAKE_PROFILER_LOG");
    FILE *log = path ? fopen(path, "a") : NULL;
    if (log)
        fprintf(log, "%s\n", what), fclose(log);
}

/* The value of "name=value" in FAKE_PROFILER, which goes on to the next comma; 0 without. */
static long told(const char *name, const char **text)
{
    const char *at = getenv("FAKE_PROFILER");
    size_t length = strlen(name);
    for (; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (!strncmp(at, name, length) && at[length] == '=') {
            if (text)
                *text = at + length + 1;
            return strtol(at + length + 1, NULL, 10);
        }
    return 0;
}

#define FAKE(symbol, type)                                 \
    unsigned symbol(struct type *p);                       \
    static unsigned symbol##_does(struct type *p);         \
    unsigned symbol(struct type *p)                        \
    {                                                      \
        long error = told(#symbol, NULL);                  \
        note(#symbol);                                     \
        return error ? (unsigned)error : symbol##_does(p); \
    }                                                      \
    static unsigned symbol##_does(struct type *p)

FAKE(cuptiProfilerInitialize, orr_cupti_initialize)
{
    return p->size < 16;
}

FAKE(cuptiProfilerHostInitialize, orr_cupti_host_open)
{
    p->host = (struct CUpti_Profiler_Host_Object *)&is_open;
    return strncmp(p->chip, "FK", 2) ? 46 : 0;
}

FAKE(cuptiProfilerHostDeinitialize, orr_cupti_image)
{
    return !p->host;
}

FAKE(cuptiProfilerHostConfigAddMetrics, orr_cupti_add_metrics)
{
    const char *lacks = NULL;
    char word[32];
    told("lacks", &lacks);
    snprintf(word, sizeof word, "%.*s", lacks ? (int)strcspn(lacks, ",") : 0, lacks ? lacks : "");
    for (size_t k = 0; k < p->count; k++)
        if (*word && strstr(p->names[k], word))
            return 17;
    return 0;
}

FAKE(cuptiProfilerHostGetConfigImageSize, orr_cupti_image)
{
    p->bytes = 8;
    return 0;
}

FAKE(cuptiProfilerHostGetConfigImage, orr_cupti_image)
{
    memcpy(p->image, "counters", 8);
    return p->bytes != 8;
}

FAKE(cuptiProfilerHostGetNumOfPasses, orr_cupti_passes)
{
    long passes = told("passes", NULL);
    p->passes = passes ? (size_t)passes : 1;
    return memcmp(p->image, "counters", 8) != 0;
}

/* As long as its name: values that only their own name has. */
FAKE(cuptiProfilerHostEvaluateToGpuValues, orr_cupti_evaluate)
{
    for (size_t k = 0; k < p->count; k++)
        p->values[k] = told("zero", NULL) ? 0 : 1000.0 * (double)strlen(p->names[k]);
    return p->range != 0 || memcmp(p->data, "data", 4) != 0;
}

FAKE(cuptiDeviceGetChipName, orr_cupti_chip_name)
{
    p->chip = "FK100";
    return 0;
}

FAKE(cuptiProfilerDeviceSupported, orr_cupti_supported)
{
    p->all = p->architecture = p->sli = p->confidential = p->cmp = p->wsl = 3;
    p->vgpu = told("vgpu", NULL) ? (unsigned)told("vgpu", NULL) : 3;
    if (p->vgpu != 3)
        p->all = p->vgpu;
    return 0;
}

FAKE(cuptiProfilerGetCounterAvailability, orr_cupti_availability)
{
    p->bytes = 16;
    if (p->image)
        memset(p->image, 1, p->bytes);
    return 0;
}

FAKE(cuptiRangeProfilerEnable, orr_cupti_range_enable)
{
    p->profiler = (struct CUpti_RangeProfiler_Object *)&is_open;
    taken = 0;
    return 0;
}

FAKE(cuptiRangeProfilerDisable, orr_cupti_range_stop)
{
    return !p->profiler;
}

FAKE(cuptiRangeProfilerGetCounterDataSize, orr_cupti_range_data_size)
{
    p->bytes = 32;
    return 0;
}

FAKE(cuptiRangeProfilerCounterDataImageInitialize, orr_cupti_range_data)
{
    return p->bytes != 32;
}

FAKE(cuptiRangeProfilerSetConfig, orr_cupti_range_config)
{
    lent = p->data;
    return p->range != 2 || p->replay != 3 || memcmp(p->image, "counters", 8) || !p->data;
}

FAKE(cuptiRangeProfilerStart, orr_cupti_range_stop)
{
    return !p->profiler;
}

FAKE(cuptiRangeProfilerPushRange, orr_cupti_range_push)
{
    return !p->name;
}

FAKE(cuptiRangeProfilerPopRange, orr_cupti_range_stop)
{
    return !p->profiler;
}

FAKE(cuptiRangeProfilerStop, orr_cupti_range_stop)
{
    long passes = told("passes", NULL);
    p->all_submitted = ++taken >= (passes ? passes : 1) + told("more", NULL);
    return 0;
}

FAKE(cuptiRangeProfilerDecodeData, orr_cupti_range_decode)
{
    memcpy(lent, "data", 4);
    p->dropped = (size_t)told("drop", NULL);
    return 0;
}

FAKE(cuptiRangeProfilerGetCounterDataInfo, orr_cupti_range_info)
{
    p->ranges = 1;
    return memcmp(p->data, "data", 4) != 0;
}

/* SPDX-License-Identifier: MIT */
/* CUDA: when each kernel began and ended, by CUPTI's activity records. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "device/cuda.h"
#include "error.h"

enum { BUFFER_BYTES = 1 << 20, BUFFER_ALIGNMENT = 8 };

/* CUPTI has one client a process, and may call back from a thread of its own. */
static struct {
    pthread_mutex_t lock;
    bool registered;
    int kernels;
    double seconds;
    bool damaged; /* a kernel without times */
} trace = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void lend_buffer(uint8_t **buffer, size_t *size, size_t *most_records)
{
    *buffer = aligned_alloc(BUFFER_ALIGNMENT, BUFFER_BYTES);
    *size = *buffer ? BUFFER_BYTES : 0;
    *most_records = 0; /* as many as it holds */
}

static void take_buffer(struct CUctx_st *context, uint32_t stream, uint8_t *buffer, size_t size,
                        size_t used)
{
    const struct orr_cupti_api *cupti = orr_cuda_library(ORR_CUDA_CUPTI, NULL);
    struct orr_cupti_record *record = NULL;
    (void)context, (void)stream, (void)size;
    pthread_mutex_lock(&trace.lock);
    while (buffer && !cupti->next(buffer, used, &record)) {
        struct orr_cupti_kernel kernel;
        memcpy(&kernel, record, sizeof kernel.kind);
        if (kernel.kind != ORR_CUPTI_CONCURRENT_KERNEL)
            continue;
        memcpy(&kernel, record, sizeof kernel);
        trace.kernels++;
        if (kernel.start && kernel.end > kernel.start)
            trace.seconds += 1e-9 * (double)(kernel.end - kernel.start);
        else
            trace.damaged = true;
    }
    pthread_mutex_unlock(&trace.lock);
    free(buffer);
}

int orr_cuda_trace_switch(bool on)
{
    const char *why, *text = NULL;
    const struct orr_cupti_api *cupti = orr_cuda_library(ORR_CUDA_CUPTI, &why);
    orr_cu_enum error = 0;
    if (!cupti)
        return orr_fail(ORR_EUNSUPPORTED, "no CUPTI: %s", why);
    if (on && !trace.registered)
        error = cupti->callbacks(lend_buffer, take_buffer);
    trace.registered |= on && !error;
    if (!error)
        error = on ? cupti->enable(ORR_CUPTI_CONCURRENT_KERNEL)
                   : cupti->disable(ORR_CUPTI_CONCURRENT_KERNEL);
    if (!error)
        return 0;
    if (cupti->error_string(error, &text) || !text)
        text = "unknown error";
    return orr_fail(ORR_EUNSUPPORTED, "CUPTI does not trace kernels: %s (error %u)", text, error);
}

/* Records come when asked for. Forced, CUPTI also hands out buffers with a record that is not
 * complete. */
static orr_cu_enum flush_until(int launches)
{
    const struct orr_cupti_api *cupti = orr_cuda_library(ORR_CUDA_CUPTI, NULL);
    orr_cu_enum error = cupti->flush(0);
    pthread_mutex_lock(&trace.lock);
    bool late = trace.kernels < launches;
    pthread_mutex_unlock(&trace.lock);
    return !error && late ? cupti->flush(ORR_CUPTI_FLUSH_FORCED) : error;
}

void orr_cuda_trace_clear(int before)
{
    if (before > 0)
        flush_until(before);
    pthread_mutex_lock(&trace.lock);
    trace.kernels = 0;
    trace.seconds = 0;
    trace.damaged = false;
    pthread_mutex_unlock(&trace.lock);
}

/* Both clocks are the device's; events come before the first kernel and after the last. */
static const double CLOCKS_DIFFER = 1.02, CLOCKS_DIFFER_S = 2e-6;

double orr_cuda_trace_sum(int launches, double span_s, const char **why)
{
    orr_cu_enum error = flush_until(launches);
    pthread_mutex_lock(&trace.lock);
    double seconds = trace.seconds;
    *why = error                       ? "CUPTI lost its records"
           : trace.kernels != launches ? "CUPTI's records are not those of the launches"
           : trace.damaged             ? "CUPTI's records have no times"
           : seconds > CLOCKS_DIFFER * span_s + CLOCKS_DIFFER_S
               ? "CUPTI's times are longer than the events around them"
               : NULL;
    pthread_mutex_unlock(&trace.lock);
    return *why ? NAN : seconds;
}

#include "measure/cache_flush.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

/* Times the size of the cache: which lines a cache gives up is its own affair. */
enum { OVER = 2 };
/* At least so much, where the size of the cache is not known. */
static const size_t LEAST_HOST = (size_t)64 << 20, LEAST_DEVICE = (size_t)256 << 20;
enum { LINE = 64, MOST_CORES = 1024 };

/* --- the size of the host's caches --- */

/* The text of a file of sysfs; false when there is none. */
static bool read_text(char *out, size_t size, const char *root, int cpu, int index,
                      const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/devices/system/cpu/cpu%d/cache/index%d/%s", root, cpu, index,
             name);
    FILE *file = fopen(path, "re");
    bool read = file && fgets(out, (int)size, file);
    if (file)
        fclose(file);
    return read;
}

/* The bytes of the processor's cache of the highest level that begins with it: one that several
 * share counts with the first of them. */
static size_t last_level(const char *root, int cpu)
{
    char text[256];
    int highest = 0;
    size_t bytes = 0;
    for (int index = 0; read_text(text, sizeof text, root, cpu, index, "level"); index++) {
        int level = atoi(text);
        if (level <= highest || !read_text(text, sizeof text, root, cpu, index, "size"))
            continue;
        char *unit;
        unsigned long long size = strtoull(text, &unit, 10);
        size *= *unit == 'M' ? 1 << 20 : *unit == 'K' ? 1 << 10 : 1;
        bool first =
            !read_text(text, sizeof text, root, cpu, index, "shared_cpu_list") || atoi(text) == cpu;
        bytes = first ? (size_t)size : 0;
        highest = level;
    }
    return bytes;
}

size_t orr_cache_flush_host_bytes(const char *root)
{
    size_t sum = 0;
    for (int cpu = 0; cpu < MOST_CORES; cpu++)
        sum += last_level(root, cpu);
    return sum;
}

/* --- the host --- */

struct share {
    pthread_t thread;
    unsigned char *from;
    size_t bytes;
    unsigned char value;
    bool started;
};

/* Reads and writes each line of its share. */
static void *overwrite(void *context)
{
    const struct share *share = context;
    volatile unsigned char *at = share->from;
    for (size_t k = 0; k < share->bytes; k += LINE)
        at[k] = (unsigned char)(at[k] + share->value);
    return NULL;
}

/* A thread on each core that may be used; what cannot be started is done here. */
static void overwrite_all(struct orr_cache_flush *flush, const cpu_set_t *cores)
{
    static struct share shares[MOST_CORES];
    const size_t count = (size_t)CPU_COUNT(cores);
    size_t bytes = flush->bytes / count / LINE * LINE, k = 0;
    for (int core = 0; core < CPU_SETSIZE && k < count && k < MOST_CORES; core++) {
        if (!CPU_ISSET(core, cores))
            continue;
        cpu_set_t own;
        pthread_attr_t how;
        CPU_ZERO(&own);
        CPU_SET(core, &own);
        shares[k] =
            (struct share){.from = flush->memory + k * bytes, .bytes = bytes, .value = flush->turn};
        pthread_attr_init(&how);
        pthread_attr_setaffinity_np(&how, sizeof own, &own);
        shares[k].started = !pthread_create(&shares[k].thread, &how, overwrite, &shares[k]);
        pthread_attr_destroy(&how);
        if (!shares[k].started)
            overwrite(&shares[k]);
        k++;
    }
    while (k-- > 0)
        if (shares[k].started)
            pthread_join(shares[k].thread, NULL);
}

static int flush_host(struct orr_cache_flush *flush)
{
    cpu_set_t cores;
    if (!flush->memory) {
        size_t cache = orr_cache_flush_host_bytes("/sys"), bytes = OVER * cache;
        bytes = bytes > LEAST_HOST ? bytes : LEAST_HOST;
        if (!(flush->memory = calloc(bytes, 1)))
            return orr_fail(ORR_EMEMORY, "no memory for %zu bytes that flush the caches", bytes);
        flush->bytes = bytes;
    }
    if (sched_getaffinity(0, sizeof cores, &cores) || !CPU_COUNT(&cores)) {
        CPU_ZERO(&cores);
        CPU_SET(0, &cores);
    }
    overwrite_all(flush, &cores);
    return 0;
}

/* --- other devices --- */

static int flush_device(struct orr_cache_flush *flush, struct orr_device *device)
{
    int code = 0;
    if (flush->buffer && flush->device != device)
        orr_cache_flush_release(flush);
    if (!flush->buffer) {
        size_t bytes = OVER * (size_t)device->info.cache_bytes;
        bytes = bytes > LEAST_DEVICE ? bytes : LEAST_DEVICE;
        code = orr_alloc(device, &flush->buffer, bytes);
        if (code)
            return orr_error_context("the buffer that flushes the caches");
        flush->device = device;
        flush->bytes = bytes;
    }
    code = orr_fill(device, flush->buffer, 0x01010101u * flush->turn, flush->bytes);
    return code ? code : orr_sync(device);
}

int orr_cache_flush(struct orr_cache_flush *flush, struct orr_device *device)
{
    enum orr_device_kind kind = device->info.kind;
    flush->turn++;
    return kind == ORR_DEVICE_HOST || kind == ORR_DEVICE_CPU ? flush_host(flush)
                                                             : flush_device(flush, device);
}

void orr_cache_flush_release(struct orr_cache_flush *flush)
{
    if (flush->buffer)
        orr_free(flush->device, flush->buffer);
    free(flush->memory);
    *flush = (struct orr_cache_flush){0};
}

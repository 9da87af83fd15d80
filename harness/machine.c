/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "names.h"

/* --- files of the kernel --- */

__attribute__((format(printf, 3, 0))) static bool read_first(char *out, size_t size,
                                                             const char *format, va_list arguments)
{
    char path[PATH_MAX];
    vsnprintf(path, sizeof path, format, arguments);
    FILE *file = fopen(path, "re");
    const bool found = file && fgets(out, (int)size, file);
    if (file)
        fclose(file);
    out[found ? strcspn(out, "\n") : 0] = '\0';
    return found;
}

bool orr_system_line(char *out, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const bool found = read_first(out, size, format, arguments);
    va_end(arguments);
    return found;
}

double orr_system_number(const char *format, ...)
{
    char text[64], *end;
    va_list arguments;
    va_start(arguments, format);
    const bool found = read_first(text, sizeof text, format, arguments);
    va_end(arguments);
    const double value = strtod(text, &end);
    if (found && end == text)
        errno = EIO;
    return end == text ? NAN : value;
}

bool orr_system_field(char *out, size_t size, const char *path, const char *key)
{
    char line[4096];
    bool found = false;
    FILE *file = fopen(path, "re");
    out[0] = '\0';
    while (file && !found && fgets(line, sizeof line, file))
        if ((found = !strncmp(line, key, strlen(key)))) {
            const char *rest = line + strlen(key);
            rest += strspn(rest, " \t:=\"");
            snprintf(out, size, "%.*s", (int)strcspn(rest, "\"\n"), rest);
        }
    if (file)
        fclose(file);
    return found;
}

/* --- the machine --- */

int orr_machine_threads(void)
{
    int wanted = omp_get_max_threads(), most = omp_get_thread_limit();
    return wanted < most ? wanted : most;
}

/* A core counts once, by the first of its threads that this process may use. */
static int usable_cores(int threads)
{
    cpu_set_t set;
    int cores = 0;
    if (sched_getaffinity(0, sizeof set, &set))
        return threads;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &set))
            continue;
        double first =
            orr_system_number("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
        cores += !(first >= 0) || first == cpu || !CPU_ISSET((int)first, &set);
    }
    return cores > 0 ? cores : threads;
}

static const char *widest_simd(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return "avx512f";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "avx2+fma";
    return __builtin_cpu_supports("avx") ? "avx" : "sse2";
#elif defined(__aarch64__)
    return "neon";
#else
    return "scalar";
#endif
}

static struct orr_machine described;

static void describe_once(void)
{
    struct orr_machine *m = &described;
    struct utsname system;
    if (uname(&system))
        memset(&system, 0, sizeof system);
    snprintf(m->kernel, sizeof m->kernel, "%.40s %.40s", system.sysname, system.release);
    orr_system_field(m->cpu, sizeof m->cpu, "/proc/cpuinfo", "model name");
    if (!m->cpu[0])
        snprintf(m->cpu, sizeof m->cpu, "%.60s processor", system.machine);
    orr_system_field(m->os, sizeof m->os, "/etc/os-release", "PRETTY_NAME");
    snprintf(m->simd, sizeof m->simd, "%s", widest_simd());
    m->threads = orr_machine_threads();
    m->cores = usable_cores(m->threads);
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    m->memory_bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

void orr_machine_describe(struct orr_machine *out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, describe_once);
    *out = described;
}

/* Words without meaning in processors' names. */
static bool tells_nothing(const char *word)
{
    static const char *const empty[] = {"r", "tm", "c", "cpu", "processor", "with", "core"};
    return orr_names_among(word, empty) || strstr(word, "ghz");
}

/* "Intel(R) Xeon(R) CPU @ 2.30GHz" -> "intel-xeon" */
static void slug(char *out, size_t size, const char *text)
{
    size_t used = 0;
    char word[64] = "";
    out[0] = '\0';
    for (size_t length = 0;; text++) {
        const bool within = isalnum((unsigned char)*text) || (*text == '.' && length);
        if (within && length < sizeof word - 1)
            word[length++] = (char)tolower((unsigned char)*text);
        word[length] = '\0';
        if (!within && length && !tells_nothing(word) && used < size)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? "-" : "", word);
        if (!within)
            length = 0;
        if (!*text)
            return;
    }
}

json_t *orr_machine_to_json(const struct orr_machine *m, const char *gpu)
{
    char name[128];
    slug(name, sizeof name, gpu ? gpu : m->cpu);
    return json_pack("{s:o s:s s:i s:i s:I s:s s:s s:s}", "name",
                     gpu ? json_string(name)
                         : json_sprintf("%s-%d-core%s", name, m->cores, m->cores == 1 ? "" : "s"),
                     "cpu", m->cpu, "cores", m->cores, "threads", m->threads, "memory_bytes",
                     (json_int_t)m->memory_bytes, "kernel", m->kernel, "os", m->os, "simd",
                     m->simd);
}

/* SPDX-License-Identifier: MIT */
/* The machine as the journal describes it; never its host name. */
#ifndef ORR_MACHINE_H
#define ORR_MACHINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct orr_machine {
    char cpu[128]; /* "Intel(R) Xeon(R) Processor" */
    int cores;     /* physical cores this process may use */
    int threads;   /* that OpenMP takes here (orr_machine_threads) */
    uint64_t memory_bytes;
    char kernel[96]; /* "Linux 6.1.0" */
    char os[96];     /* "Debian GNU/Linux 12 (bookworm)" */
    char simd[16];   /* widest vector instructions: "avx512f", "avx2+fma", "sse2", "neon" */
};

/* As many threads as OpenMP itself would take: OMP_NUM_THREADS, or the processors that this process
 * may use, and no more than OMP_THREAD_LIMIT, beyond which a region silently has fewer. */
int orr_machine_threads(void);
void orr_machine_describe(struct orr_machine *out);
/* The journal's `machine` object. Its name, that of the folder of its results, is that of its first
 * GPU ("nvidia-h200"), or with NULL the CPU's ("intel-xeon-2-cores"). */
json_t *orr_machine_to_json(const struct orr_machine *machine, const char *gpu);

/* --- what Linux tells of it in small files of /sys and /proc --- */

/* The first line of the file of that name, without its newline; "" and false where there is none.
 */
bool orr_system_line(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The number in it; NAN with errno where there is none. */
double orr_system_number(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The rest of the first line that begins with `key`, behind blanks, ':', '=' and a quote; "" and
 * false where there is none. */
bool orr_system_field(char *out, size_t size, const char *path, const char *key);

#endif

/* Counting accesses: the instrumented column of an audit. A kernel writes each access that a cost model counts as
 *
 *     x = COUNTED(ORR_SR, 3, tile[j]);      reads three words of local memory
 *     COUNTED(ORR_GW, 2, acc[i] = sum);     writes two words of global memory
 *
 * which is the bare access unless it is compiled with -DORRERY_COUNT=1: one source, so that counts cannot drift away from
 * what is counted. Words are single-precision numbers, as in Shan & Lei 2012, section IV A; indices and lists are not counted. */
#ifndef ORR_COUNT_H
#define ORR_COUNT_H

/* Kinds of access; the first seven by the names of Shan & Lei 2012, Table I. */
enum orr_access {
    ORR_GR, /* reads of global memory */
    ORR_GW, /* writes to it */
    ORR_SR, /* reads of local (shared) memory */
    ORR_SW, /* writes to it */
    ORR_RR, /* reads of the sums in registers */
    ORR_RW, /* writes to them */
    ORR_CP, /* pairs of bodies evaluated */
    ORR_AS, /* atomic updates of local memory; neither in SR nor in SW */
    ORR_AG, /* atomic updates of global memory; neither in GR nor in GW */
    ORR_ACCESS_KINDS
};

#ifdef KERNEL /* device code: the dialect stands before this file */

#ifndef ORRERY_COUNT
#define ORRERY_COUNT 0
#endif

#if ORRERY_COUNT
/* COUNT_STATE stands in the kernel's body before anything is counted; code that counts is in the kernel or in macros.
 * COUNT_IN(p): what follows belongs to procedure p of COUNT_PROCEDURES, which the kernel's file defines. */
#define COUNT_STATE                                                                                                    \
    u64 orr_counts[COUNT_PROCEDURES * ORR_ACCESS_KINDS];                                                               \
    i32 orr_procedure = 0;                                                                                             \
    for (i32 orr_k = 0; orr_k < COUNT_PROCEDURES * ORR_ACCESS_KINDS; orr_k++)                                          \
    orr_counts[orr_k] = 0
#define COUNT_IN(procedure) (orr_procedure = (procedure))
#define COUNTED(kind, words, access)                                                                                   \
    (orr_counts[orr_procedure * ORR_ACCESS_KINDS + (kind)] += (u64)(words), (access))
/* Arguments of a kernel that counts, and of its launch the last but dynamic local memory: low and high words of each
 * count, procedure by procedure, zeroed before. Every thread adds its own at its end; the carry makes 64 bits of two words. */
#define COUNT_ARGUMENT , GLOBAL u32 *orr_totals
#define COUNT_FLUSH()                                                                                                  \
    for (i32 orr_k = 0; orr_k < COUNT_PROCEDURES * ORR_ACCESS_KINDS; orr_k++) {                                        \
        const u32 orr_low = (u32)orr_counts[orr_k];                                                                    \
        const u32 orr_old = orr_low ? (u32)ATOMIC_ADD_I32(&orr_totals[2 * orr_k], orr_low) : 0;                        \
        const u32 orr_high = (u32)(orr_counts[orr_k] >> 32) + (orr_old + orr_low < orr_old ? 1 : 0);                   \
        if (orr_high)                                                                                                  \
            ATOMIC_ADD_I32(&orr_totals[2 * orr_k + 1], orr_high);                                                      \
    }
#else
#define COUNT_STATE
#define COUNT_IN(procedure)
#define COUNTED(kind, words, access) (access)
#define COUNT_ARGUMENT
#define COUNT_FLUSH()
#endif

#endif
#endif

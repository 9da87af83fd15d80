/* Counting accesses: the instrumented column of an audit. A kernel writes each access that a cost model counts as
 *
 *     x = COUNTED(ORR_SR, 3, tile[j]);      reads three words of local memory
 *     COUNTED(ORR_GW, 2, acc[i] = sum);     writes two words of global memory
 *     COUNT(ORR_CP, 1);                     one pair evaluated
 *
 * which is the bare access, or nothing, unless it is compiled with -DORRERY_COUNT=1: one source, so that counts cannot
 * drift away from what is counted. Words are single-precision numbers, as in Shan & Lei 2012, section IV A; indices and
 * lists are not counted. */
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

/* The parts of a near field as Shan & Lei 2012, Table I, divide it. */
enum orr_near_procedure {
    ORR_FATHER_BOX,    /* a box's bodies among themselves */
    ORR_NEIGHBOUR_BOX, /* with those of the boxes around it */
    ORR_RETURN,        /* sums from registers to memory */
    ORR_NEAR_PROCEDURES
};

#ifdef KERNEL /* device code: the dialect stands before this file */

#ifndef ORRERY_COUNT
#define ORRERY_COUNT 0
#endif
#ifndef COUNT_PROCEDURES
#define COUNT_PROCEDURES ORR_NEAR_PROCEDURES
#endif

#if ORRERY_COUNT
/* COUNT_STATE stands in the kernel's body before anything is counted, COUNT_FLUSH() at its end.
 * COUNT_IN(p): what follows belongs to procedure p, 0 <= p < COUNT_PROCEDURES. */
#define COUNT_STATE                                                                                                    \
    u64 orr_counts[COUNT_PROCEDURES * ORR_ACCESS_KINDS];                                                               \
    i32 orr_procedure = 0;                                                                                             \
    for (i32 orr_k = 0; orr_k < COUNT_PROCEDURES * ORR_ACCESS_KINDS; orr_k++)                                          \
    orr_counts[orr_k] = 0
#define COUNT_IN(procedure) (orr_procedure = (procedure))
#define COUNT(kind, words) (orr_counts[orr_procedure * ORR_ACCESS_KINDS + (kind)] += (u64)(words))
#define COUNTED(kind, words, access) (COUNT(kind, words), (access))
/* The last parameter and argument of an INLINE function that counts. */
#define COUNT_PARAMETER , u64 *orr_counts, i32 orr_procedure
#define COUNT_PASS , orr_counts, orr_procedure
/* Arguments of a kernel that counts, and of its launch the last but dynamic local memory: low and high words of each
 * count, procedure by procedure, zeroed before. Every thread adds its own at its end. */
#define COUNT_ARGUMENT , GLOBAL u32 *orr_totals
#define COUNT_FLUSH()                                                                                                  \
    for (i32 orr_k = 0; orr_k < COUNT_PROCEDURES * ORR_ACCESS_KINDS; orr_k++)                                          \
    ATOMIC_ADD_WIDE(&orr_totals[2 * orr_k], &orr_totals[2 * orr_k + 1], orr_counts[orr_k])
#else
#define COUNT_STATE
#define COUNT_IN(procedure)
#define COUNT(kind, words) ((void)0)
#define COUNTED(kind, words, access) (access)
#define COUNT_PARAMETER
#define COUNT_PASS
#define COUNT_ARGUMENT
#define COUNT_FLUSH()
#endif

#endif
#endif

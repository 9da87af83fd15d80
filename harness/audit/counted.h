/* Cells whose accesses were counted, as the ledger has them. */
#ifndef ORR_AUDIT_COUNTED_H
#define ORR_AUDIT_COUNTED_H

#include <stdbool.h>

#include "audit/derive.h"
#include "ledger/ledger.h"

enum { ORR_COUNTED_PROCEDURES = 8 };

struct orr_counted {
    long long key; /* cell_key */
    char machine[64], device[32];
    char experiment[64], variant[64]; /* "shan/table1", "bpb" */
    char dataset[64];
    double n, level, per_box; /* NAN where there are no boxes, or not equally many bodies in each */
    double steps, seconds;
    int procedures;
    struct {
        char name[48];
        int64_t of[ORR_ACCESS_KINDS];
    } in[ORR_COUNTED_PROCEDURES];
};

struct orr_counted_set {
    struct orr_counted *items; /* by machine, device, experiment, level, per_box, n, data set */
    size_t count;
};

/* The latest `ok` cells of a paper with counts; `experiment` and `machine` NULL: of all. Release it
 * either way. */
int orr_counted_load(struct orr_counted_set *out, const struct orr_ledger *ledger,
                     const char *paper, const char *experiment, const char *machine);
void orr_counted_release(struct orr_counted_set *set);

/* Accesses of a kind in a procedure (NULL: in all), with atomic updates among them by the reading:
 * AS among SW (and SR), AG among GW (and GR). -1: the cell has no such procedure. */
int64_t orr_counted_of(const struct orr_counted *cell, const char *procedure, enum orr_access kind,
                       enum orr_atomic_convention atomics);
/* Sum over kinds (bits) and procedures. */
int64_t orr_counted_sum(const struct orr_counted *cell, unsigned kinds,
                        enum orr_atomic_convention atomics);
/* Whether both are of one machine, device, experiment, input and number of steps. */
bool orr_counted_same_work(const struct orr_counted *a, const struct orr_counted *b);
/* Where the formulas' symbols take their values; false when the cell does not give them. */
bool orr_counted_place(struct orr_place *out, const struct orr_counted *cell);

#endif

/* Host stages ("encode", "sort", "build" ...) of an experiment's cells. Those outside the step are
 * work that no other time includes; those within it are part of its time. */
#ifndef ORR_STAGES_H
#define ORR_STAGES_H

#include "present/results.h"

enum { ORR_MAX_STAGES = 8 };

struct orr_stages {
    char names[ORR_MAX_STAGES][32]; /* in the order in which they ran */
    bool in_step[ORR_MAX_STAGES];
    size_t count;
};

/* The names of all stages of an experiment on a machine. */
int orr_stages_load(struct orr_stages *out, const struct orr_scope *scope);
/* Seconds of each stage of one cell, NAN for those it does not have. 1 when it has any, 0, or a
 * negative code. */
int orr_stages_of(double out[ORR_MAX_STAGES], const struct orr_stages *stages,
                  const struct orr_scope *scope, const struct orr_result *result);

#endif

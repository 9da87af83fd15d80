/* What the files of the calibration share; nobody else includes it. */
#ifndef ORR_CALIBRATE_PARTS_H
#define ORR_CALIBRATE_PARTS_H

#include "calibrate/calibrate.h"
#include "plan/plan.h"

/* The machine that has the printed numbers. */
#define ORR_CALIBRATE_PRINTED "published"
/* What every cell that a GPU would measure ran on: it runs everything. */
#define ORR_CALIBRATE_DEVICE "cuda:0"
extern const struct orr_device_info orr_calibrate_device;

/* What is planned. A cell's number in the tables is its place here. */
struct orr_calibration {
    const struct orr_paper *paper;
    struct orr_plan plan;
    json_t *records; /* array: of each cell, its identity and all parameters */
};

/* Plans the paper's experiments as `run --preset paper` would on a machine with one GPU, and fills
 * the table `planned`. Release it whatever is returned. */
int orr_calibrate_plan(struct orr_calibration *calibration, struct orr_ledger *ledger);
void orr_calibrate_release(struct orr_calibration *calibration);
/* Writes what the table `given` of `from` has of a machine as a journal, and loads it into `to`. */
int orr_calibrate_journal(struct orr_ledger *to, const struct orr_ledger *from,
                          const struct orr_calibration *calibration, const char *machine);

#endif

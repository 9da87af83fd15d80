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
    struct orr_plan plan;
    json_t *records; /* array: of each cell, its identity and all parameters */
};

/* Plans the paper's experiments as `run --preset paper` would on a machine with one GPU, and fills
 * the table `planned`. Release it whatever is returned. */
int orr_calibrate_plan(struct orr_calibration *out, struct orr_ledger *ledger,
                       const struct orr_paper *paper);
void orr_calibrate_release(struct orr_calibration *calibration);
/* Writes what the table `given` holds as a journal and loads it. */
int orr_calibrate_journal(struct orr_ledger *ledger, const struct orr_calibration *calibration,
                          const struct orr_paper *paper);

#endif

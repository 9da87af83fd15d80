/* One side of a comparison: the journals of one machine, and perhaps one device of it. */
#ifndef ORR_COMPARE_OPERAND_H
#define ORR_COMPARE_OPERAND_H

#include <stdbool.h>

#include "present/selection.h"

struct orr_compare_operand {
    char letter;                    /* 'A' or 'B', for messages */
    const char *word;               /* as given: "nvidia-h200@cuda:0" */
    char where[1024];               /* what -r accepts: a journal, a folder or a machine */
    char device[32];                /* "" when none was named: every device counts */
    char machine[256];              /* whose results they are */
    struct orr_selection selection; /* of `where`; the caller makes and releases it */
};

/* Splits WHERE[@DEVICE]; an existing file or folder may have an @ in its name. ORR_EUSAGE for a
 * part that is missing or too long. */
int orr_compare_operand_parse(struct orr_compare_operand *out, char letter, const char *word);
/* Finds the machine of the selection. ORR_EUSAGE without cells, with cells of several machines, or
 * without a cell on the named device. */
int orr_compare_operand_settle(struct orr_compare_operand *operand);
/* The devices that have cells, "cuda:0, host"; returns `out`, cut to `size`. */
char *orr_compare_operand_devices(char *out, size_t size,
                                  const struct orr_compare_operand *operand);
/* Number of cells of experiments that no paper here has; 0 unless everything was asked for. A
 * negative code on failure. */
long orr_compare_operand_unknown_experiments(const struct orr_compare_operand *operand);
/* Whether a result is on the device that was named. */
bool orr_compare_operand_takes(const struct orr_compare_operand *operand,
                               const struct orr_result *result);

#endif

/* Knobs of a variant: the parameters that `orrery tune` may set, with the values to try. paper.yaml
 * declares them. */
#ifndef ORR_KNOBS_H
#define ORR_KNOBS_H

#include <stdint.h>

#include "plan/cell.h"
#include "plan/paper.h"

enum { ORR_MOST_KNOBS = 16, ORR_MOST_KNOB_VALUES = 64 };

struct orr_knob {
    char name[32];
    char (*values)[64]; /* in their normal spelling; owned */
    size_t count;       /* that are tried */
    size_t usual;       /* place of the default; `count`, behind them, where it is not tried */
};

struct orr_knobs {
    struct orr_knob items[ORR_MOST_KNOBS];
    size_t count;
};

/* What is said of a variant's knobs. */
struct orr_knobs_wish {
    const struct orr_paper_variant *declared;
    const struct orr_variant *variant;
    const char *kind;   /* "cpu" or "gpu", that of the device; NULL: knobs of every kind */
    char *const *given; /* "NAME=VALUES" to try instead, on every device */
    int given_count;
};
/* The values that are declared are tried beside the default, those that are given alone. ORR_EUSAGE
 * without any, for a name that is none, and for values that its parameter does not take. */
int orr_knobs_make(struct orr_knobs *out, const struct orr_knobs_wish *wish);
void orr_knobs_release(struct orr_knobs *knobs);

/* A configuration is a number: the places of the knobs' values, the first knob's the highest digit.
 */

/* How many are tried. */
uint64_t orr_knobs_configurations(const struct orr_knobs *knobs);
uint64_t orr_knobs_code(const struct orr_knobs *knobs, const size_t places[ORR_MOST_KNOBS]);
void orr_knobs_places(size_t places[ORR_MOST_KNOBS], const struct orr_knobs *knobs, uint64_t code);
/* That of the defaults. */
uint64_t orr_knobs_usual(const struct orr_knobs *knobs);
/* The knobs as settings of the cell, in the place of those that it has. ORR_EUSAGE when these are
 * too many. */
int orr_knobs_set(struct orr_cell *cell, const struct orr_knobs *knobs, uint64_t code);
/* {"block": 64}; NULL on no memory. */
json_t *orr_knobs_to_json(const struct orr_knobs *knobs, uint64_t code);
/* The values that are tried: {"block": [64, 128]}; NULL on no memory. */
json_t *orr_knobs_values_to_json(const struct orr_knobs *knobs);

#endif

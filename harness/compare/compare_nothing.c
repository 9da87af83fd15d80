/* Why two sides have no cell in common. */
#include "compare/compare_parts.h"

#include <stdio.h>

#include "error.h"

/* How close the two sides come: the largest likeness of any two results of one experiment; -1 when
 * no experiment is in both. */
static int closest(const struct orr_comparison *comparison)
{
    int best = -1;
    for (size_t p = 0; p < comparison->part_count; p++) {
        const struct orr_singles *a = &comparison->parts[p].singles[0],
                                 *b = &comparison->parts[p].singles[1];
        for (size_t i = 0; i < a->count; i++)
            for (size_t k = 0; k < b->count; k++) {
                int likeness =
                    orr_match_likeness(a->items[i], b->items[k], orr_compare_across(comparison));
                best = likeness > best ? likeness : best;
            }
    }
    return best;
}

static size_t cells_of(const struct orr_comparison *comparison, int operand)
{
    size_t cells = 0;
    for (size_t p = 0; p < comparison->part_count; p++)
        cells += comparison->parts[p].singles[operand].count;
    return cells;
}

int orr_compare_nothing(const struct orr_comparison *comparison)
{
    char devices[2][256], why[800];
    switch (closest(comparison)) {
    case -1:
        snprintf(why, sizeof why, "no experiment was measured on both");
        break;
    case ORR_LIKE_NOTHING:
        snprintf(why, sizeof why, "no variant of any experiment is in both");
        break;
    case ORR_LIKE_VARIANT:
        snprintf(why, sizeof why,
                 "their devices differ, A's are %s and B's %s; compare one of each with A@DEVICE"
                 " B@DEVICE",
                 orr_compare_operand_devices(devices[0], sizeof *devices, comparison->a),
                 orr_compare_operand_devices(devices[1], sizeof *devices, comparison->b));
        break;
    case ORR_LIKE_DEVICE:
        snprintf(why, sizeof why,
                 "data set, n, seed or level differ in every variant; `orrery run` with the same"
                 " preset and --set measures the same");
        break;
    default:
        snprintf(
            why, sizeof why,
            "every cell of the same input differs in some parameter; `orrery run` with the same"
            " --set measures the same");
    }
    return orr_fail(ORR_EUSAGE, "no cell of A (%s, %zu cells) is in B (%s, %zu cells): %s",
                    comparison->a->word, cells_of(comparison, 0), comparison->b->word,
                    cells_of(comparison, 1), why);
}

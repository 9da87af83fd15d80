/* How values look to people: the formats that columns name, and SQL functions of them. */
#ifndef ORR_COLUMN_FORMAT_H
#define ORR_COLUMN_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "ledger/ledger.h"

/* Marks an extrapolated number wherever people see it. */
#define ORR_ABOUT " ≈"
/* Marks a median whose samples have two peaks. */
#define ORR_TWO_PEAKS_MARK "‡"

struct orr_column_format {
    const char *name;
    bool right;                                           /* aligned right */
    char *(*write)(char *out, size_t size, double value); /* NULL: the number as it is */
};

/* NULL when there is none of that name. */
const struct orr_column_format *orr_column_format_find(const char *name);
/* The text of a number, or NULL where there is none or it stands as it is. */
const char *orr_column_format_text(char *out, size_t size, const char *format, double value);

/* Offers SQL the texts of this room:
 *     number_text(x), seconds_text(x), seconds_text(x, unit), si_text(x, unit)
 *     ratio_text(value, low, high, extrapolated), with processes if the interval is of samples:
 *     the fewest of both sides
 *     time_text(outcome, seconds, extrapolated), with low, high, samples, processes and two_peaks
 *     for ± behind it
 *     errors_text(error, ...): "1.2e-05 / 3.4e-04"
 * NULL where the value is NULL; file_beside(path, name): the path of the file `name` in the folder
 * of `path`, or NULL where the name has a slash or there is no regular file of it to read, links
 * are none; and the collation `by_number`, numbers within texts by their value.
 */
int orr_column_format_offer(const struct orr_ledger *ledger);

#endif

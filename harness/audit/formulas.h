/* What a paper prints about its cost: variants/<paper>/formulas.csv, exactly as printed, errors and
 * all. Columns
 *
 *   experiment,says,variant,over,item,kinds,formula,printed,note
 *
 * `formula` is read by polynomial.h; `printed` is what the paper prints where that differs; `note`
 * is for the reader. What a line says of its experiment's table:
 *
 *   count   `variant` makes `formula` accesses of the one kind `kinds` (GR ... CP) in the procedure
 *           `item`
 *   atomic  so many of the writes `kinds` (SW or GW) in the procedure `item` are atomic updates,
 *           counted as one write
 *   flops   the operations of one pair of bodies; `item` is its name in kernels/pair.h
 *   change  from `over` to `variant` the sum of all `kinds` ("SR+SW") changes by `formula`; `item`
 *           names the entry
 *   where   under which the numbers hold: N, B or P, the `item`, is `formula`; `item` "level" is
 *           the quadtree's
 *   from    the numbers are claimed for `item` >= `formula`
 *   number  the same as `change` with the symbols of `where` put in */
#ifndef ORR_AUDIT_FORMULAS_H
#define ORR_AUDIT_FORMULAS_H

#include "audit/polynomial.h"
#include "kernels/count.h"
#include "plan/paper.h"

enum orr_says {
    ORR_SAYS_COUNT,
    ORR_SAYS_ATOMIC,
    ORR_SAYS_FLOPS,
    ORR_SAYS_CHANGE,
    ORR_SAYS_WHERE,
    ORR_SAYS_FROM,
    ORR_SAYS_NUMBER,
    ORR_SAYINGS
};
extern const char *const orr_formulas_sayings[ORR_SAYINGS]; /* the words of the column */

struct orr_formula {
    enum orr_says says;
    unsigned kinds; /* bits 1 << enum orr_access */
    struct orr_polynomial value;
    /* Not printed: a count that the paper leaves out, `ratio` x that of kind `from` in the same
     * procedure. */
    bool inferred;
    enum orr_access from;
    struct orr_rational ratio;
    size_t line;
    const char *experiment, *variant, *over, *item, *note; /* "" where there is none */
    const char *printed; /* what the paper prints; "" when inferred */
    char *text;          /* owns these */
};

/* The one kind of a count. */
static inline enum orr_access orr_formula_kind(const struct orr_formula *row)
{
    return (enum orr_access)__builtin_ctz(row->kinds);
}

struct orr_formulas {
    struct orr_formula *rows;
    size_t count;
};

/* As the paper prints them; none when it has no such file. ORR_EINPUT with file, line, and column
 * of a formula. Release it whatever is returned. */
int orr_formulas_load(struct orr_formulas *out, const struct orr_paper *paper);
/* One such file, for tests. */
int orr_formulas_read(struct orr_formulas *out, const char *path, const struct orr_paper *paper);
void orr_formulas_release(struct orr_formulas *formulas);
/* One more row, zeroed; NULL with ORR_EMEMORY. Rows may move. */
struct orr_formula *orr_formulas_add(struct orr_formulas *formulas);

/* The next row behind `after` (NULL: the first) that says this of the variant (NULL: of any), or
 * NULL. */
const struct orr_formula *orr_formulas_next(const struct orr_formulas *formulas,
                                            const struct orr_formula *after, enum orr_says says,
                                            const char *variant);
/* The row that says this of the experiment, variant ("" any) and item, or NULL. */
const struct orr_formula *orr_formulas_find(const struct orr_formulas *formulas, enum orr_says says,
                                            const char *experiment, const char *variant,
                                            const char *item);
/* The count of one kind in a procedure, or NULL. */
const struct orr_formula *orr_formulas_count(const struct orr_formulas *formulas,
                                             const char *variant, const char *procedure,
                                             enum orr_access kind);
/* Whether the file says anything of the experiment, "shan/table1". */
bool orr_formulas_cover(const struct orr_formulas *formulas, const char *experiment);

#endif

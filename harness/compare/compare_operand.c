#include "compare/compare_operand.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

int orr_side_parse(struct orr_side *out, char letter, const char *word)
{
    *out = (struct orr_side){.letter = letter, .word = word};
    const char *at = access(word, F_OK) ? strrchr(word, '@') : NULL;
    size_t length = at ? (size_t)(at - word) : strlen(word);
    if (!length || (at && !at[1]))
        return orr_fail(
            ORR_EUSAGE,
            "%c, '%s', lacks its %s: a side is a journal, folder or machine, or one of these "
            "with @DEVICE behind it, as in nvidia-h200@cuda:0",
            letter, word, length ? "device" : "journals");
    if (length >= sizeof out->where || (at && strlen(at + 1) >= sizeof out->device))
        return orr_fail(ORR_EUSAGE, "%c, '%s', is too long", letter, word);
    snprintf(out->where, sizeof out->where, "%.*s", (int)length, word);
    snprintf(out->device, sizeof out->device, "%s", at ? at + 1 : "");
    return 0;
}

/* The distinct values of a column of the side's cells, with commas between; how many there are, or
 * a negative code. */
static int list(char *out, size_t size, const struct orr_side *side, const char *sql)
{
    sqlite3_stmt *row;
    int more, count = 0, code = orr_ledger_query(&row, &side->selection.ledger, sql, "");
    *out = '\0';
    if (code)
        return code;
    while ((more = orr_ledger_next(row, &side->selection.ledger)) > 0) {
        size_t used = strlen(out);
        snprintf(out + used, size - used, "%s%s", used ? ", " : "", orr_ledger_text(row, 0));
        count++;
    }
    sqlite3_finalize(row);
    return more < 0 ? more : count;
}

char *orr_side_devices(char *out, size_t size, const struct orr_side *side)
{
    list(out, size, side, "SELECT DISTINCT device FROM cell WHERE device IS NOT NULL ORDER BY 1");
    return out;
}

static int check_device(const struct orr_side *side)
{
    char known[512];
    double cells;
    int code = orr_ledger_numbers(&cells, 1, &side->selection.ledger,
                                  "SELECT count(*) FROM cell WHERE device = ?", "s", side->device);
    if (code < 0 || cells > 0)
        return code < 0 ? code : 0;
    return orr_fail(ORR_EUSAGE, "%c, %s, has no results on a device '%s'; there are: %s",
                    side->letter, side->where, side->device,
                    orr_side_devices(known, sizeof known, side));
}

int orr_side_settle(struct orr_side *side)
{
    int count = list(side->machine, sizeof side->machine, side,
                     "SELECT DISTINCT machine FROM cells ORDER BY 1");
    if (count < 0)
        return count;
    if (count == 0)
        return orr_fail(ORR_EUSAGE, "%c, %s, has no results: no journal there holds a cell",
                        side->letter, side->where);
    if (count > 1)
        return orr_fail(
            ORR_EUSAGE,
            "%c, %s, has results of %d machines, and a side is one: name the folder, a journal "
            "or the machine of one of them (%s)",
            side->letter, side->where, count, side->machine);
    return *side->device ? check_device(side) : 0;
}

static bool is_known(const struct orr_selection *selection, const char *experiment)
{
    char name[160];
    for (size_t k = 0; k < selection->target_count; k++) {
        snprintf(name, sizeof name, "%s/%s", selection->targets[k].paper->key,
                 selection->targets[k].experiment->name);
        if (!strcmp(name, experiment))
            return true;
    }
    return false;
}

long orr_side_strangers(const struct orr_side *side)
{
    const struct orr_selection *selection = &side->selection;
    sqlite3_stmt *row;
    long strangers = 0;
    int more, code = orr_ledger_query(&row, &selection->ledger,
                                      "SELECT experiment, count(*) FROM latest WHERE device ="
                                      " coalesce(nullif(?, ''), device) GROUP BY 1",
                                      "s", side->device);
    if (code)
        return code;
    while ((more = orr_ledger_next(row, &selection->ledger)) > 0)
        if (selection->everything && !is_known(selection, orr_ledger_text(row, 0)))
            strangers += sqlite3_column_int(row, 1);
    sqlite3_finalize(row);
    return more < 0 ? more : strangers;
}

bool orr_side_takes(const struct orr_side *side, const struct orr_result *result)
{
    return !*side->device || !strcmp(side->device, result->device);
}

#include "compare/compare_operand.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

int orr_compare_operand_parse(struct orr_compare_operand *out, char letter, const char *word)
{
    *out = (struct orr_compare_operand){.letter = letter, .word = word};
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
static int list(char *out, size_t size, const struct orr_compare_operand *operand, const char *sql)
{
    sqlite3_stmt *row;
    int more, count = 0, code = orr_ledger_query(&row, &operand->selection.ledger, sql, "");
    *out = '\0';
    if (code)
        return code;
    while ((more = orr_ledger_next(row, &operand->selection.ledger)) > 0) {
        size_t used = strlen(out);
        snprintf(out + used, size - used, "%s%s", used ? ", " : "", orr_ledger_text(row, 0));
        count++;
    }
    sqlite3_finalize(row);
    return more < 0 ? more : count;
}

char *orr_compare_operand_devices(char *out, size_t size, const struct orr_compare_operand *operand)
{
    list(out, size, operand,
         "SELECT DISTINCT device FROM cell WHERE device IS NOT NULL ORDER BY 1");
    return out;
}

static int check_device(const struct orr_compare_operand *operand)
{
    char known[512];
    double cells;
    int code =
        orr_ledger_numbers(&cells, 1, &operand->selection.ledger,
                           "SELECT count(*) FROM cell WHERE device = ?", "s", operand->device);
    if (code < 0 || cells > 0)
        return code < 0 ? code : 0;
    return orr_fail(ORR_EUSAGE, "%c, %s, has no results on a device '%s'; there are: %s",
                    operand->letter, operand->where, operand->device,
                    orr_compare_operand_devices(known, sizeof known, operand));
}

int orr_compare_operand_settle(struct orr_compare_operand *operand)
{
    int count = list(operand->machine, sizeof operand->machine, operand,
                     "SELECT DISTINCT machine FROM cells ORDER BY 1");
    if (count < 0)
        return count;
    if (count == 0)
        return orr_fail(ORR_EUSAGE, "%c, %s, has no results: no journal there holds a cell",
                        operand->letter, operand->where);
    if (count > 1)
        return orr_fail(
            ORR_EUSAGE,
            "%c, %s, has results of %d machines, and a side is one: name the folder, a journal "
            "or the machine of one of them (%s)",
            operand->letter, operand->where, count, operand->machine);
    return *operand->device ? check_device(operand) : 0;
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

long orr_compare_operand_unknown_experiments(const struct orr_compare_operand *operand)
{
    const struct orr_selection *selection = &operand->selection;
    sqlite3_stmt *row;
    long unknown = 0;
    int more, code = orr_ledger_query(&row, &selection->ledger,
                                      "SELECT experiment, count(*) FROM latest WHERE device ="
                                      " coalesce(nullif(?, ''), device) GROUP BY 1",
                                      "s", operand->device);
    if (code)
        return code;
    while ((more = orr_ledger_next(row, &selection->ledger)) > 0)
        if (selection->everything && !is_known(selection, orr_ledger_text(row, 0)))
            unknown += sqlite3_column_int(row, 1);
    sqlite3_finalize(row);
    return more < 0 ? more : unknown;
}

bool orr_compare_operand_takes(const struct orr_compare_operand *operand,
                               const struct orr_result *result)
{
    return !*operand->device || !strcmp(operand->device, result->device);
}

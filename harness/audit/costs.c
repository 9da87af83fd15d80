#include "audit/costs.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "ledger/csv.h"
#include "names.h"
#include "paths.h"
#include "plain_file.h"
#include "text.h"

enum { VARIANT, KIND, ACCESS, DEGREE, TIMES, CONDITION, NOTE, COLUMNS };
static const char *const header[COLUMNS] = {"variant", "kind",      "access", "degree",
                                            "times",   "condition", "note"};

/* Rows that are of no count of the kernels. */
static bool is_kind(const char *kind)
{
    return !strcmp(kind, "step") || !strcmp(kind, "LS") || !strcmp(kind, "kernel") ||
           !strcmp(kind, "left-out");
}

static int check_kind(const char *kind)
{
    for (int k = 0; k < ORR_ACCESS_KINDS; k++)
        if (!strcmp(kind, orr_names_access[k]))
            return 0;
    return is_kind(kind) ? 0
                         : orr_names_fail("unknown kind of count", kind, orr_names_access,
                                          ORR_ACCESS_KINDS, sizeof *orr_names_access);
}

static int check(char *const *f, const struct orr_paper *paper)
{
    double number;
    int code = orr_paper_variant(paper, f[VARIANT]) ? check_kind(f[KIND]) : ORR_EUSAGE;
    if (code)
        return code;
    if (!*f[ACCESS])
        return orr_fail(ORR_EINPUT, "no access is named");
    if (!strcmp(f[KIND], "left-out") && strcmp(f[ACCESS], "too short") &&
        strcmp(f[ACCESS], "too long"))
        return orr_fail(ORR_EINPUT, "left-out is '%s', not 'too short' or 'too long'", f[ACCESS]);
    if (*f[DEGREE] && strcmp(f[DEGREE], "counted") &&
        (!orr_text_number(f[DEGREE], &number) || number < 1))
        return orr_fail(ORR_EINPUT, "degree '%s' is no number from 1 up and not 'counted'",
                        f[DEGREE]);
    if (!orr_text_number(f[TIMES], &number) || !(number > 0))
        return orr_fail(ORR_EINPUT, "times '%s' is no positive number", f[TIMES]);
    if (*f[CONDITION] && !strchr(f[CONDITION], '='))
        return orr_fail(ORR_EINPUT, "condition '%s' is no parameter=value", f[CONDITION]);
    return 0;
}

static int store(struct orr_ledger *ledger, const struct orr_paper *paper,
                 const struct orr_csv *csv)
{
    double times = 0;
    char *const *f = csv->fields;
    int code = csv->count == COLUMNS
                   ? check(f, paper)
                   : orr_fail(ORR_EINPUT, "%zu fields instead of %d", csv->count, COLUMNS);
    if (code)
        return code;
    orr_text_number(f[TIMES], &times);
    return orr_ledger_run(ledger, "INSERT INTO audit_cost VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                          "sissssdss", paper->key, (long long)csv->line, f[VARIANT], f[KIND],
                          f[ACCESS], f[DEGREE], times, f[CONDITION], f[NOTE]);
}

static int read_rows(struct orr_ledger *ledger, const struct orr_paper *paper, FILE *from,
                     struct orr_csv *csv)
{
    int more = orr_csv_next(csv, from);
    bool known = more > 0 && csv->count == COLUMNS;
    for (int k = 0; known && k < COLUMNS; k++)
        known = !strcmp(csv->fields[k], header[k]);
    if (more >= 0 && !known)
        return orr_fail(ORR_EINPUT, "the header line is not that of costs");
    while (more > 0 && (more = orr_csv_next(csv, from)) > 0) {
        int code = store(ledger, paper, csv);
        if (code)
            return code == ORR_EUSAGE ? ORR_EINPUT : code;
    }
    return more;
}

int orr_costs_load(struct orr_ledger *ledger, const struct orr_paper *paper)
{
    char path[PATH_MAX];
    const char *shown, *why;
    int code = orr_paths_paper(path, sizeof path, &shown, paper->key, "costs.csv");
    if (code || access(path, F_OK))
        return code;
    FILE *from = orr_plain_file_open(path, &why);
    if (!from)
        return orr_fail(ORR_EIO, "cannot read %s: %s", shown, why);
    struct orr_csv csv = {0};
    code = read_rows(ledger, paper, from, &csv);
    if (code)
        orr_error_context("%s:%zu", shown, csv.line);
    orr_csv_release(&csv);
    fclose(from);
    return code;
}

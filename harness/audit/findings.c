#include "audit/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "audit/findings_parts.h"
#include "error.h"

struct orr_finding *orr_findings_add(struct orr_findings *findings, const char *experiment,
                                     bool agrees, const char *format, ...)
{
    struct orr_finding *items = realloc(findings->items, (findings->count + 1) * sizeof *items);
    if (!items) {
        orr_fail(ORR_EMEMORY, "no memory for findings");
        return NULL;
    }
    findings->items = items;
    struct orr_finding *finding = &items[findings->count++];
    *finding = (struct orr_finding){.agrees = agrees};
    snprintf(finding->experiment, sizeof finding->experiment, "%s", experiment);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->item, sizeof finding->item, format, arguments);
    va_end(arguments);
    return finding;
}

int orr_findings_make(struct orr_findings *out, const struct orr_formulas *formulas,
                      const struct orr_ledger *ledger, const struct orr_paper *paper)
{
    *out = (struct orr_findings){0};
    int code = orr_findings_counts(out, formulas);
    if (!code)
        code = orr_findings_changes(out, formulas);
    if (!code)
        code = orr_findings_ratios(out, ledger, paper);
    return code ? code : orr_findings_measured(out, formulas, ledger, paper);
}

void orr_findings_release(struct orr_findings *findings)
{
    free(findings->items);
    *findings = (struct orr_findings){0};
}

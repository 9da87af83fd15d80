/* Audits of formulas as printed and of changed ones. */
#ifndef AUDIT_FOR_TESTS_H
#define AUDIT_FOR_TESTS_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "error_for_tests.h"
#include "random_for_tests.h"

#include "audit/derive.h"
#include "audit/findings.h"
#include "paths.h"
#include "text.h"

static struct orr_paper *shan;
static char *printed; /* variants/shan/formulas.csv */
/* A table and what was found in it. */
struct audited {
    struct orr_formulas formulas;
    struct orr_findings findings;
};

/* Audits the text; its code. */
static inline int audit(struct audited *out, const char *text)
{
    char path[] = "/tmp/orrery-formulas-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fputs(text, file);
    fclose(file);
    *out = (struct audited){.findings = {0}};
    int code = orr_formulas_read(&out->formulas, path, shan);
    unlink(path);
    if (!code)
        code = orr_derive_missing(&out->formulas);
    return code ? code : orr_findings_make(&out->findings, &out->formulas);
}

static inline void leave(struct audited *a)
{
    orr_findings_release(&a->findings);
    orr_formulas_release(&a->formulas);
}

/* The text with the one place of `from` replaced; frees `text`. */
static inline char *replace(char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("the table does not hold '%s'", from);
    size_t before = (size_t)(at - text), size = strlen(text) - strlen(from) + strlen(to) + 1;
    char *made = malloc(size);
    assert_non_null(made);
    snprintf(made, size, "%.*s%s%s", (int)before, text, to, text + before + strlen(from));
    free(text);
    return made;
}

static inline int load_paper(void **state)
{
    (void)state;
    char path[1024];
    size_t size;
    if (orr_paper_load(&shan, "shan") ||
        orr_paths_home(path, sizeof path, "variants/shan/formulas.csv") ||
        orr_text_read(&printed, &size, path, path)) {
        fprintf(stderr, "%s\n", orr_error_text());
        return -1;
    }
    return 0;
}

static inline int leave_paper(void **state)
{
    (void)state;
    free(printed);
    orr_paper_free(shan);
    return 0;
}

#endif

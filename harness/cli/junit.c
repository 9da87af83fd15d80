/* SPDX-License-Identifier: MIT */
/* --junit FILE: outcomes as test cases in JUnit's XML, which Jenkins, GitLab and GitHub read. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/results.h"
#include "datasets/formats/output.h"
#include "json_member.h"
#include "memory.h"
#include "present/write.h"
#include "text.h"

/* Names come from journals that anybody may have written: XML has no control characters. */
static void put(FILE *to, const char *before, const json_t *row, const char *name)
{
    const char *text = orr_json_text(row, name);
    char *tame = orr_text_tame(orr_memory_text(text ? text : ""));
    fputs(before, to);
    orr_html_text(to, tame);
    free(tame);
}

static void put_outcome(FILE *to, const json_t *row, const char *outcome)
{
    fprintf(to, ">\n<%s", outcome);
    put(to, " message=\"", row, outcome);
    put(to, "\">", row, "said");
    fprintf(to, "</%s>\n</testcase>\n", outcome);
}

static void put_case(FILE *to, const json_t *row)
{
    const json_t *seconds = json_object_get(row, "seconds");
    put(to, "<testcase classname=\"", row, "class");
    put(to, "\" name=\"", row, "name");
    fputc('"', to);
    if (json_is_number(seconds))
        fprintf(to, " time=\"%.9f\"", json_number_value(seconds));
    if (orr_json_text(row, "failure"))
        put_outcome(to, row, "failure");
    else if (orr_json_text(row, "skipped"))
        put_outcome(to, row, "skipped");
    else
        fputs("/>\n", to);
}

static int count(const json_t *cases, const char *outcome)
{
    int found = 0;
    size_t k;
    json_t *row;
    json_array_foreach (cases, k, row) {
        found += orr_json_text(row, outcome) != NULL;
    }
    return found;
}

int orr_cli_junit(const char *path, const char *suite, const json_t *cases)
{
    struct orr_output output;
    size_t k;
    json_t *row;
    int code = orr_output_begin(&output, path);
    if (!code)
        code = orr_output_open(&output);
    if (code)
        return code;
    fprintf(
        output.file,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"orrery %s\" "
        "tests=\"%zu\" failures=\"%d\" errors=\"0\" skipped=\"%d\">\n",
        suite, json_array_size(cases), count(cases, "failure"), count(cases, "skipped"));
    json_array_foreach (cases, k, row) {
        put_case(output.file, row);
    }
    fputs("</testsuite>\n</testsuites>\n", output.file);
    return orr_output_end(&output, 0);
}

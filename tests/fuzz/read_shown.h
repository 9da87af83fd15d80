/* SPDX-License-Identifier: MIT */
/* What journals and papers of others say is shown: whatever the texts are, they stay texts in every
 * format. Lines of the input become the texts of a document. */
#ifndef ORR_FUZZ_READ_SHOWN_H
#define ORR_FUZZ_READ_SHOWN_H

#include "read_texts.h"

#include <ctype.h>
#include <math.h>

#include "ledger/csv.h"
#include "present/document.h"

/* One of the words, which blanks part, as a whole at the beginning of the text. */
static inline bool begins_with_word(const char *text, const char *words)
{
    for (size_t length; *words; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        if (!strncmp(text, words, length) && !isalnum((unsigned char)text[length]))
            return true;
    }
    return false;
}

static inline void check_html(const char *text)
{
    static const char tags[] =
        "p b h4 div table thead tr th td ol details summary tbody sup ul li code";
    int open = 0;
    for (const char *at = text; *at; at++) {
        if (*at == '<') {
            promise(begins_with_word(at + 1 + (at[1] == '/'), tags) && !open);
            open++;
        }
        promise(*at != '>' || open);
        open -= *at == '>';
    }
    promise(!open);
}

static inline void check_tex(const char *text)
{
    static const char commands[] =
        "allowbreak approx arraybackslash begin begingroup bottomrule caption cdot centering "
        "circ clearpage dagger ddagger div else end endgroup epsilon fi footnotesize geq "
        "ifdim label ldots leq linewidth midrule mu par parindent0pt pm raggedright "
        "resizebox rightarrow smallskip surd textasciicircum textasciitilde textbackslash "
        "textheight theta times toprule totalheight usepackage width";
    int depth = 0;
    for (const char *at = text; *at; at++) {
        if (*at == '\\') {
            promise(begins_with_word(at + 1, commands) || (at[1] && strchr("\\&%$#_{}", at[1])));
            at += !isalpha((unsigned char)at[1]);
            continue;
        }
        promise(*at != '%' || at == text || at[1] == '\n'); /* a comment of ours */
        depth += *at == '{';
        depth -= *at == '}';
        promise(depth >= 0);
    }
    promise(!depth);
}

/* Where the span of code ends that these backquotes begin; NULL where they begin none. */
static inline const char *end_of_code(const char *at)
{
    size_t wide = strspn(at, "`");
    for (const char *end = at + wide; *end && *end != '\n';) {
        size_t run = strspn(end, "`");
        if (run == wide)
            return end + run;
        end += run ? run : 1;
    }
    return NULL;
}

/* No HTML outside of `code`. */
static inline void check_md(const char *text)
{
    for (const char *at = text, *end; *at;) {
        if (*at == '\\' && ispunct((unsigned char)at[1])) {
            at += 2;
        } else if (*at == '`') {
            end = end_of_code(at);
            at = end ? end : at + strspn(at, "`");
        } else {
            promise(*at != '<' || !(isalpha((unsigned char)at[1]) || strchr("/!?", at[1])));
            at++;
        }
    }
}

static inline void check_json(const char *text)
{
    json_auto_t *root = json_loads(text, 0, NULL);
    promise(root);
}

/* The fields are those texts, with a mark where a spreadsheet would compute. */
static inline void check_csv(const char *text)
{
    char *copy = strdup(text);
    struct orr_csv csv = {.at = copy};
    size_t columns = 0;
    while (orr_csv_next(&csv)) {
        promise(!columns || csv.count == columns);
        columns = csv.count;
        for (size_t k = 0; k < csv.count; k++)
            promise(!*csv.fields[k] || !strchr("=@", *csv.fields[k]));
    }
    free(csv.fields);
    free(copy);
}

static const struct {
    const char *format;
    void (*check)(const char *text);
} checks[] = {{"md", check_md},
              {"csv", check_csv},
              {"tex", check_tex},
              {"json", check_json},
              {"html", check_html}};

/* Texts in all places where a document has some. */
static inline void fill_document(struct orr_document *out, char *text)
{
    const char *line[12];
    for (size_t k = 0; k < 12; k++) {
        char *next = strsep(&text, "\1");
        line[k] = next ? next : "";
    }
    orr_document_name(out, line[11], line[0]);
    orr_document_fact(out, "cpu", line[1]);
    orr_document_fact(out, line[2], line[3]);
    orr_document_remark(out, line[4]);
    struct orr_grid *grid = orr_document_grid(out, true, line[5], "");
    orr_grid_column(grid, "key", line[6], "", ORR_ALL, false);
    orr_grid_column(grid, "value", line[7], "", ORR_ALL, true);
    for (size_t k = 8; k < 12; k += 2) {
        int note = orr_document_note(out, line[k + 1]);
        orr_grid_row(grid);
        orr_grid_put(grid, 0, (struct orr_value){strdup(line[k]), NAN, note});
        orr_grid_put(grid, 1, (struct orr_value){strdup(line[k + 1]), (double)k, 0});
    }
}

static inline void read_shown(const uint8_t *bytes, size_t size)
{
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++) {
        RELEASED_BY(orr_document_release) struct orr_document document = {0};
        RELEASED_BY(free_text) char *lines = as_text(bytes, size), *text = NULL;
        size_t length;
        fill_document(&document, lines);
        FILE *to = open_memstream(&text, &length);
        promise(to);
        if (!strcmp(checks[k].format, "html"))
            orr_html_document(to, &document, false);
        else
            promise(!orr_format_find(checks[k].format)->write(to, &document, 1));
        fclose(to);
        promise(strlen(text) == length);
        for (const char *at = text; *at; at++)
            promise((unsigned char)*at >= ' ' || *at == '\n' || *at == '\r');
        if (getenv("SHOW"))
            fputs(text, stderr);
        checks[k].check(text);
    }
}

#endif

/* SPDX-License-Identifier: MIT */
/* The sections of files of SQL, and their statements. */
#include "present/queries.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "text.h"

static const char *const keywords[ORR_SECTION_KINDS] = {
    [ORR_SECTION_LAYOUT] = "layout",     [ORR_SECTION_PART] = "part",
    [ORR_SECTION_USE] = "use",           [ORR_SECTION_SET] = "set",
    [ORR_SECTION_SETUP] = "setup",       [ORR_SECTION_FILL] = "fill",
    [ORR_SECTION_GRID] = "grid",         [ORR_SECTION_GRID_IF_ANY] = "grid?",
    [ORR_SECTION_DATA_IF_ANY] = "data?", [ORR_SECTION_DATA] = "data",
    [ORR_SECTION_SPREAD] = "spread",     [ORR_SECTION_COLUMN] = "column",
    [ORR_SECTION_COLUMNS] = "columns",   [ORR_SECTION_PROGRAMS] = "programs",
    [ORR_SECTION_REMARK] = "remark",     [ORR_SECTION_FACTS] = "facts",
    [ORR_SECTION_FIGURE] = "figure",     [ORR_SECTION_VARIABLES] = "variables",
    [ORR_SECTION_PANELS] = "panels",     [ORR_SECTION_SERIES] = "series",
    [ORR_SECTION_NOTHING] = "nothing",
};

/* --- files --- */

void orr_queries_release(struct orr_queries *queries)
{
    for (size_t k = 0; k < queries->text_count; k++)
        free(queries->texts[k]);
    free(queries->texts);
    free(queries->items);
    *queries = (struct orr_queries){0};
}

static char *keep_text(struct orr_queries *queries, const char *text)
{
    char **added = orr_memory_add(&queries->texts, &queries->text_count, sizeof *added);
    return *added = orr_memory_text(text);
}

/* Ends the text before its last blanks; returns what follows the first ones. */
static char *trim(char *text)
{
    text += strspn(text, " ");
    for (size_t length = strlen(text); length && isspace((unsigned char)text[length - 1]);)
        text[--length] = '\0';
    return text;
}

static void add_section(struct orr_queries *queries, struct orr_section section)
{
    struct orr_section *added = orr_memory_add(&queries->items, &queries->count, sizeof *added);
    char *rest = keep_text(queries, section.argument);
    *added = section;
    added->shared = section.kind == ORR_SECTION_COLUMN &&
                    (added == queries->items || added[-1].file != added->file || added[-1].shared);
    for (int k = 0; k < ORR_SECTION_FIELDS; k++)
        added->fields[k] = rest ? trim(strsep(&rest, "|")) : "";
}

/* A `--: column` each for the "KEY, KEY: HEAD" of `columns`, or the "KEY KEY" of `programs`. */
static void add_columns(struct orr_queries *queries, struct orr_section section, char *keys,
                        const char *between, const char *look)
{
    section.kind = ORR_SECTION_COLUMN;
    for (char *key; (key = strsep(&keys, between));) {
        char column[256], own[96];
        key += strspn(key, " ");
        char *head = strchr(key, ':');
        if (head)
            *head++ = '\0';
        snprintf(own, sizeof own, "%s", key);
        for (char *c = own; (c = strchr(c, '_'));)
            *c = ' ';
        snprintf(column, sizeof column, "%s | %s | | %s", key, head ? head : own, look);
        section.argument = keep_text(queries, column);
        if (*key)
            add_section(queries, section);
    }
}

/* `line` is cut out of the text: "--: keyword argument". */
static int read_directive(struct orr_queries *queries, const char *file, size_t number, char *line,
                          const char *sql)
{
    char *word = line + strlen("--:");
    word += strspn(word, " ");
    size_t length = strcspn(word, " "), k = 0;
    char *argument = trim(word + length);
    struct orr_section section = {
        .file = file, .line = number, .argument = argument, .sql = sql, .ledger = queries->ledger};
    word[length] = '\0';
    while (k < ORR_SECTION_KINDS && strcmp(keywords[k], word) != 0)
        k++;
    section.kind = (enum orr_section_kind)k;
    char hint[64];
    if (k == ORR_SECTION_KINDS)
        return orr_section_blame(&section, "no section '%s'%s", word,
                                 orr_text_hint(hint, sizeof hint, word, keywords, k));
    /* A script can start programs: a paper may name those of plots/ only. */
    if (section.kind == ORR_SECTION_FIGURE && strchr(argument, '/'))
        return orr_section_blame(&section, "'%s' is no script of plots/", argument);
    char *keys = section.kind == ORR_SECTION_COLUMNS ? strrchr(argument, '|') : NULL;
    if (section.kind == ORR_SECTION_COLUMNS && !keys)
        return orr_section_blame(&section, "columns are FORMAT | AUDIENCE | KEY, KEY: HEAD ...");
    if (keys)
        *keys++ = '\0';
    if (section.kind == ORR_SECTION_PROGRAMS)
        add_columns(queries, section, argument, " ", "right | programs");
    else if (keys)
        add_columns(queries, section, keys, ",", argument);
    else
        add_section(queries, section);
    return 0;
}

int orr_queries_add(struct orr_queries *queries, const char *file, const char *text)
{
    char *name = keep_text(queries, file), *at = keep_text(queries, text);
    int code = 0;
    for (size_t line = 1; !code && *at; line++) {
        char *end = at + strcspn(at, "\n"), *next = end + (*end == '\n');
        if (!strncmp(at, "--:", 3)) {
            at[-(line > 1)] = '\0'; /* ends the SQL above */
            *end = '\0';
            code = read_directive(queries, name, line, at, next);
        }
        at = next;
    }
    return code;
}

const struct orr_section *orr_queries_find(const struct orr_queries *queries,
                                           enum orr_section_kind kind, const char *name)
{
    for (size_t k = queries->count; k-- > 0;)
        if (queries->items[k].kind == kind && !strcmp(queries->items[k].argument, name))
            return &queries->items[k];
    return NULL;
}

/* True where the section is behind the last of its layout or part. */
static bool is_behind(const struct orr_queries *queries, const struct orr_section *section)
{
    return section >= queries->items + queries->count || section->kind == ORR_SECTION_LAYOUT ||
           section->kind == ORR_SECTION_PART;
}

bool orr_queries_next(int *code, const struct orr_section **out, struct orr_section_walk *walk,
                      const struct orr_queries *queries)
{
    while (!*code && walk->depth >= 0) {
        const struct orr_section *s = *out = ++walk->at[walk->depth], *part;
        if (is_behind(queries, s))
            walk->depth--;
        else if (s->kind != ORR_SECTION_USE)
            return true;
        else if (!(part = orr_queries_find(queries, ORR_SECTION_PART, s->argument)))
            *code = orr_section_blame(s, "there is no part '%s'", s->argument);
        else if (walk->depth == ORR_DEEPEST_USE)
            *code = orr_section_blame(s, "part '%s' uses itself, or parts are more than %d deep",
                                      s->argument, ORR_DEEPEST_USE);
        else
            walk->at[++walk->depth] = part;
    }
    return false;
}

/* --- statements --- */

int orr_section_blame(const struct orr_section *section, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return orr_fail(ORR_EINPUT, "%s:%zu: %s", section->file, section->line, text);
}

/* `statement`, somewhere in the section's SQL, failed. */
static int blame_sql(const struct orr_section *section)
{
    return orr_ledger_blame(section->ledger, section->file, section->line + 1, section->sql,
                            section->sql);
}

int orr_section_query(sqlite3_stmt **out, const struct orr_section *section)
{
    *out = NULL;
    if (sqlite3_prepare_v2(section->ledger->db, section->sql, -1, out, NULL) != SQLITE_OK)
        return blame_sql(section);
    return *out ? 0 : orr_section_blame(section, "the section has no query");
}

bool orr_section_row(int *code, sqlite3_stmt *row, const struct orr_section *section)
{
    int status = *code ? SQLITE_DONE : sqlite3_step(row);
    if (status == SQLITE_ROW)
        return true;
    if (status != SQLITE_DONE)
        *code = blame_sql(section);
    sqlite3_finalize(row);
    return false;
}

/* One column of scope, as text: numbers with up to six digits. */
static int put_scope(FILE *to, const struct orr_section *section, const char *name, size_t length)
{
    sqlite3_stmt *row;
    char sql[128];
    snprintf(sql, sizeof sql, "SELECT %.*s FROM scope", (int)length, name);
    if (sqlite3_prepare_v2(section->ledger->db, sql, -1, &row, NULL))
        return orr_section_blame(section, "the table scope has no column '%.*s'", (int)length,
                                 name);
    if (sqlite3_step(row) == SQLITE_ROW) {
        if (sqlite3_column_type(row, 0) == SQLITE_FLOAT)
            fprintf(to, "%g", sqlite3_column_double(row, 0));
        else
            fputs(orr_ledger_text(row, 0), to);
    }
    sqlite3_finalize(row);
    return 0;
}

int orr_section_fill(char **out, const struct orr_section *section, const char *text)
{
    size_t size = 0;
    int code = 0;
    *out = NULL;
    FILE *to = orr_memory_stream(out, &size);
    while (*text && !code) {
        size_t plain = strcspn(text, "{"), length = strcspn(text + plain, "}");
        fwrite(text, 1, plain, to);
        text += plain;
        if (!*text)
            break;
        code = put_scope(to, section, text + 1, length - 1);
        text += length + (text[length] == '}');
    }
    fclose(to);
    return code;
}

int orr_section_column(sqlite3_stmt *row, const char *name)
{
    for (int k = 0; k < sqlite3_column_count(row); k++)
        if (!strcmp(sqlite3_column_name(row, k), name))
            return k;
    return -1;
}

const char *orr_section_text(sqlite3_stmt *row, const char *name, const char *otherwise)
{
    int column = orr_section_column(row, name);
    return column >= 0 && sqlite3_column_type(row, column) != SQLITE_NULL
               ? orr_ledger_text(row, column)
               : otherwise;
}

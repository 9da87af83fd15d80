/* The man page. */
#include <stdbool.h>
#include <string.h>

#include "cli/help_parts.h"
#include "version.h"

/* `length` characters as text: no request at the start of a line, no escape. */
static void put(FILE *to, const char *text, size_t length)
{
    if (length && (*text == '.' || *text == '\''))
        fputs("\\&", to);
    for (size_t k = 0; k < length; k++)
        if (text[k] == '\\')
            fputs("\\e", to);
        else if (text[k] == '-')
            fputs("\\-", to);
        else
            putc(text[k], to);
}

/* Lines that are set off by blanks, and those behind a \ at a line's end, stay as they are. */
static void put_text(FILE *to, const char *text)
{
    bool kept = false, goes_on = false;
    while (*text) {
        size_t length = strcspn(text, "\n");
        bool keep = *text == ' ' || goes_on;
        if (keep != kept)
            fputs(keep ? ".nf\n" : ".fi\n", to);
        kept = keep;
        goes_on = keep && length && text[length - 1] == '\\';
        if (length)
            put(to, text, length);
        else
            fputs(".P", to);
        putc('\n', to);
        text += length + (text[length] == '\n');
    }
    if (kept)
        fputs(".fi\n", to);
}

static void put_rows(FILE *to, const char *title, const struct orr_help_row *rows)
{
    fprintf(to, ".SH %s\n", title);
    for (; rows->name; rows++) {
        fputs(".TP\n.B ", to);
        put(to, rows->name, strlen(rows->name));
        putc('\n', to);
        put_text(to, rows->text);
    }
}

static void begin(FILE *to, const struct orr_help_commands *all)
{
    fprintf(to, ".TH ORRERY 1 \"\" \"orrery %s\" \"Orrery\"\n", ORR_VERSION);
    fputs(".SH NAME\norrery \\- re\\-run published GPU N\\-body results on the machine at hand\n"
          ".SH SYNOPSIS\n.B orrery\n.I COMMAND\n[\\fIARGUMENTS\\fR]\n"
          ".SH DESCRIPTION\nRuns the papers' algorithms on the papers' inputs, verifies what they "
          "compute\nagainst double precision,\nand shows each table and figure beside the "
          "published one.\n.SH COMMANDS\n",
          to);
    for (size_t k = 0; k < all->count; k++) {
        fprintf(to, ".TP\n.B %s\n", all->items[k].name);
        put_text(to, all->items[k].summary);
    }
    fputs(".SH OPTIONS\n", to);
}

static void entry(FILE *to, const struct orr_help_entry *e)
{
    fprintf(to, ".SS orrery %s\n.nf\n", e->name);
    for (const char *line = e->options->usage; *line;) {
        size_t length = strcspn(line, "\n");
        while (length && *line == ' ') /* the second line of a usage stands below the first */
            line++, length--;
        if (strncmp(line, "orrery ", 7))
            fputs("orrery ", to);
        put(to, line, length);
        putc('\n', to);
        line += length + (line[length] == '\n');
    }
    fputs(".fi\n.P\n", to);
    put_text(to, e->options->summary);
    for (size_t k = 0; k < e->options->count; k++) {
        const struct orr_option *o = &e->options->options[k];
        fputs(".TP\n", to);
        if (o->letter)
            fprintf(to, "\\fB\\-%c\\fR, ", o->letter);
        fputs("\\fB\\-\\-", to);
        put(to, o->name, strlen(o->name));
        fputs("\\fR", to);
        if (o->argument) {
            fputs(" \\fI", to);
            put(to, o->argument, strlen(o->argument));
            fputs("\\fR", to);
        }
        putc('\n', to);
        put_text(to, o->help);
    }
}

static void end(FILE *to)
{
    put_rows(to, "EXIT STATUS", orr_help_exit_codes);
    put_rows(to, "ENVIRONMENT", orr_help_environment);
    put_rows(to, "FILES", orr_help_files);
}

const struct orr_help_writer orr_help_man = {"man", begin, entry, end};

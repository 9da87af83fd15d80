/* SPDX-License-Identifier: MIT */
/* CSV: a header line with the columns x,y[,z],mass[,vx,vy[,vz]][,id] in any order, then one body a
 * line. Names may have capitals, and mass may be m; other columns are passed over with a note, and
 * Fortran's 1.0D+00 is a number. Where the header has no comma, blanks part the columns. Blank
 * lines and lines that start with # are skipped, but for a header behind a #, as numpy writes it:
 * the last comment before a line of numbers. Numbers are written so that they read back as the same
 * double. Snapshots have millions of lines of plain numbers and may be damaged: lines of bounded
 * length, no quoting, nothing allocated a line.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "datasets/formats/codec.h"
#include "error.h"
#include "text.h"

enum { LONGEST_LINE = 4096, MOST_FIELDS = 64 };

/* What a field of a line is beside a column of the bodies. */
enum { IDS = ORR_COLUMNS, UNKNOWN = -1 };

static int column_named(const char *name)
{
    static const char *const ids[] = {"id", "ids", "index", "ParticleID", "ParticleIDs"};
    for (int k = 0; k < ORR_COLUMNS; k++)
        if (!strcasecmp(name, orr_bodies_columns[k]))
            return k;
    for (size_t k = 0; k < sizeof ids / sizeof *ids; k++)
        if (!strcasecmp(name, ids[k]))
            return IDS;
    return strcasecmp(name, "m") ? UNKNOWN : ORR_COLUMNS - 1;
}

struct reader {
    FILE *file;
    const char *path;
    size_t line; /* of `text`, counted from 1 */
    char text[LONGEST_LINE];
    int columns;                /* fields a line */
    int column_of[MOST_FIELDS]; /* field number -> column of the bodies, IDS or UNKNOWN */
    bool has[IDS + 1];
    bool blanks;                /* part the columns, no commas */
    bool again;                 /* the next line is `text` itself */
    bool has_end;               /* the line last read */
    char comment[LONGEST_LINE]; /* the last one before the first line */
};

/* By its first line: commas, a comment, or names with blanks between, beginning with a column's. */
static bool recognise(const struct orr_head *head)
{
    char line[sizeof head->bytes + 1];
    size_t length = 0;
    for (; length < head->used && head->bytes[length] != '\n'; length++) {
        const unsigned char c = head->bytes[length];
        if (c < ' ' && c != '\t' && c != '\r')
            return false;
        line[length] = (char)c;
    }
    line[length] = '\0';
    const bool is_marked = strchr(line, ',') || *line == '#';
    char *rest = NULL, *word = strtok_r(line, " \t\r", &rest);
    return is_marked || (word && column_named(word) >= 0);
}

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* The next line that is neither blank nor a comment: 1, 0 at the end of the file, or a negative
 * code. */
static int next_line(struct reader *r)
{
    if (r->again) {
        r->again = false;
        return 1;
    }
    while (fgets(r->text, sizeof r->text, r->file)) {
        r->line++;
        size_t length = strlen(r->text);
        r->has_end = length && r->text[length - 1] == '\n';
        if (!r->has_end && !feof(r->file))
            return orr_fail(
                ORR_EINPUT,
                "%s:%zu: no line of numbers: longer than %d characters or holds a zero byte",
                r->path, r->line, LONGEST_LINE - 2);
        char *first = trim(r->text);
        if (*first && *first != '#')
            return 1;
        if (*first && !r->columns)
            snprintf(r->comment, sizeof r->comment, "%s", first + 1);
    }
    return ferror(r->file) ? orr_fail(ORR_EIO, "cannot read %s: %s", r->path, strerror(errno)) : 0;
}

/* Splits in place; returns how many fields there are, of which at most `max` are stored. */
static int split(char *text, char *fields[], int max, bool blanks)
{
    int count = 0;
    if (blanks) {
        char *rest = NULL;
        for (char *field = strtok_r(text, " \t\r\n", &rest); field;
             field = strtok_r(NULL, " \t\r\n", &rest), count++)
            if (count < max)
                fields[count] = field;
        return count;
    }
    for (char *rest = text; rest; count++) {
        char *field = rest;
        rest = strchr(field, ',');
        if (rest)
            *rest++ = '\0';
        if (count < max)
            fields[count] = trim(field);
    }
    return count;
}

/* Is it another spelling of column `k`? Passed over, pos_z would make flat bodies. */
static bool is_near(const char *name, int k)
{
    const char *column = orr_bodies_columns[k];
    return orr_text_nearest(name, &column, 1) ||
           (k == 2 && *name && (strchr("zZ", *name) || strchr("zZ", name[strlen(name) - 1])));
}

/* A column that is needed is missing, or `name` may be meant for it. */
static int no_column(const struct reader *r, int k, const char *name)
{
    static const char form[] = "the header is x,y[,z],mass[,vx,vy[,vz]] in any order";
    const char *column = orr_bodies_columns[k];
    if (!name)
        return orr_fail(ORR_EINPUT, "%s:%zu: no column '%s'; %s", r->path, r->line, column, form);
    double number;
    bool is_number = orr_text_number(name, &number);
    return orr_fail(ORR_EINPUT, "%s:%zu: '%s' is no column%s%s%s; %s", r->path, r->line, name,
                    is_number ? "" : " (did you mean '", is_number ? "" : column,
                    is_number ? "" : "'?)", form);
}

static int check_columns(const struct reader *r, char *const fields[])
{
    double number;
    bool moving = r->has[3] || r->has[4] || r->has[5];
    const bool needed[ORR_COLUMNS] = {true, true, r->has[5], moving, moving, moving && r->has[2],
                                      true};
    for (int k = 0; k < ORR_COLUMNS; k++) {
        const char *meant = NULL;
        for (int f = 0; f < r->columns && !r->has[k] && !meant; f++)
            if (r->column_of[f] == UNKNOWN && (((needed[k] || k == 2) && is_near(fields[f], k)) ||
                                               (needed[k] && orr_text_number(fields[f], &number))))
                meant = fields[f];
        if (!r->has[k] && (needed[k] || meant))
            return no_column(r, k, meant);
    }
    return 0;
}

static void note_unknown(const struct reader *r, char *const fields[], struct orr_bodies *out)
{
    char names[256] = "";
    int used = 0, count = 0;
    for (int f = 0; f < r->columns; f++)
        if (r->column_of[f] == UNKNOWN && used < (int)sizeof names)
            used += snprintf(names + used, sizeof names - (size_t)used, "%s%s", count++ ? ", " : "",
                             fields[f]);
    if (count)
        orr_bodies_note(out, "%s: column%s %s passed over", r->path, count == 1 ? "" : "s", names);
}

static int read_header(struct reader *r, struct orr_bodies *out)
{
    char *fields[MOST_FIELDS];
    int found = next_line(r);
    if (found <= 0)
        return found ? found
                     : orr_fail(ORR_EINPUT, "%s holds no header line and no bodies", r->path);
    char *text =
        strncmp(r->text, "\xef\xbb\xbf", 3) ? r->text : r->text + 3; /* a byte order mark */
    if (*r->comment && strchr("+-.0123456789", *trim(text))) {
        r->again = true; /* numbers already */
        text = r->comment;
    }
    r->blanks = !strchr(text, ',');
    r->columns = split(text, fields, MOST_FIELDS, r->blanks);
    if (r->columns > MOST_FIELDS)
        return orr_fail(ORR_EINPUT, "%s:%zu: %d columns; at most %d can be read", r->path, r->line,
                        r->columns, MOST_FIELDS);
    for (int f = 0; f < r->columns; f++) {
        int k = r->column_of[f] = column_named(fields[f]);
        if (k != UNKNOWN && r->has[k])
            return orr_fail(ORR_EINPUT, "%s:%zu: column '%s' is there twice", r->path, r->line,
                            fields[f]);
        if (k != UNKNOWN)
            r->has[k] = true;
    }
    int code = check_columns(r, fields);
    if (!code)
        note_unknown(r, fields, out);
    return code;
}

/* As Fortran writes double precision, too: 1.0D+00. */
static bool read_number(char *text, double *out)
{
    if (orr_text_number(text, out))
        return true;
    char *letter = strpbrk(text, "dD");
    if (!letter)
        return false;
    const char was = *letter;
    *letter = 'e';
    bool good = orr_text_number(text, out);
    *letter = was;
    return good;
}

struct row {
    size_t at, line; /* of its text; in the file */
    double values[ORR_COLUMNS];
    uint64_t id;
    bool has_id, below_0;
};

static void read_id(const char *text, struct row *row)
{
    char *end;
    errno = 0;
    row->below_0 = *text == '-';
    row->id = row->below_0 ? (uint64_t)strtoll(text, &end, 10) : strtoull(text, &end, 10);
    row->has_id = isdigit((unsigned char)text[row->below_0]) && !*end && !errno;
}

/* The numbers of a line, which is split. */
static int read_row(const struct reader *r, char *text, struct row *row)
{
    char *fields[MOST_FIELDS];
    double *values = row->values;
    int count = split(text, fields, MOST_FIELDS, r->blanks);
    if (count != r->columns)
        return orr_fail(ORR_EINPUT, "%s:%zu: %d fields where the header has %d columns%s", r->path,
                        row->line, count, r->columns,
                        count < r->columns ? "; is the file cut off?" : "");
    for (int f = 0; f < count; f++) {
        int k = r->column_of[f];
        if (k == IDS)
            read_id(fields[f], row);
        else if (k != UNKNOWN && !read_number(fields[f], &values[k]))
            return orr_fail(ORR_EINPUT, "%s:%zu: %s is '%s', not a finite number", r->path,
                            row->line, orr_bodies_columns[k], fields[f]);
    }
    if (values[ORR_COLUMNS - 1] < 0)
        return orr_fail(ORR_EINPUT, "%s:%zu: mass is %g; it must not be negative", r->path,
                        row->line, values[ORR_COLUMNS - 1]);
    return 0;
}

/* Lines that all cores read together. */
enum { TOGETHER = 8192, ARENA = 256 * TOGETHER };

struct rows {
    char texts[ARENA];
    size_t used, count;
    struct row items[TOGETHER];
};

/* As many lines as there are and have room; what next_line said last. */
static int fill_rows(struct rows *rows, struct reader *r)
{
    int more = 1;
    rows->used = rows->count = 0;
    while (rows->count < TOGETHER && rows->used + LONGEST_LINE <= ARENA &&
           (more = next_line(r)) > 0) {
        size_t size = strlen(r->text) + 1;
        rows->items[rows->count++] = (struct row){.at = rows->used, .line = r->line};
        memcpy(rows->texts + rows->used, r->text, size);
        rows->used += size;
    }
    return more;
}

/* A thread's errors are its own: the first bad line is read again for its message. */
static int read_filled(struct rows *rows, const struct reader *r)
{
    size_t first = rows->count;
#pragma omp parallel for schedule(static) reduction(min : first) if (rows->count > 1000)
    for (size_t k = 0; k < rows->count; k++) {
        char text[LONGEST_LINE];
        strcpy(text, rows->texts + rows->items[k].at);
        if (read_row(r, text, &rows->items[k])) {
            orr_error_clear();
            first = k < first ? k : first;
        }
    }
    struct row *bad = first < rows->count ? &rows->items[first] : NULL;
    return bad ? read_row(r, rows->texts + bad->at, bad) : 0;
}

/* An id may also be a name, which only its program knows. */
static void append_id(struct orr_bodies *out, const struct row *row)
{
    if (out->id)
        out->id[out->n] = row->id;
    out->signed_ids |= row->below_0;
    if (!out->id || row->has_id)
        return;
    free(out->id);
    out->id = NULL;
    orr_bodies_note(out, "the ids are no whole numbers from line %zu on and passed over",
                    row->line);
}

static int append(struct orr_bodies *out, size_t *room, const struct rows *rows)
{
    int code = 0;
    for (size_t i = 0; i < rows->count && !code; i++) {
        if (out->n == *room)
            code = orr_bodies_widen(out, *room *= 2);
        for (int k = 0; k < ORR_COLUMNS && !code; k++)
            orr_bodies_column(out, k)[out->n] = rows->items[i].values[k];
        if (!code)
            append_id(out, &rows->items[i]);
        if (!code)
            out->n++;
    }
    return code;
}

static int read_rows(struct orr_bodies *out, struct reader *r)
{
    size_t room = 1024;
    char *notes = out->notes;
    int code = orr_bodies_make(out, room, r->has[2] ? 3 : 2), more = 1;
    out->notes = notes;
    if (!code && r->has[IDS])
        code = orr_bodies_add_ids(out);
    struct rows *rows = malloc(sizeof *rows);
    if (!rows && !code)
        code = orr_fail(ORR_EMEMORY, "no memory to read %s", r->path);
    out->n = 0;
    while (!code && more > 0) {
        more = fill_rows(rows, r);
        char why[256];
        snprintf(why, sizeof why, "%s", more < 0 ? orr_error_text() : "");
        code = read_filled(rows, r);
        if (!code)
            code = append(out, &room, rows);
        if (!code && more < 0)
            code = orr_fail(more, "%s", why);
    }
    free(rows);
    return code;
}

static int read_csv(struct orr_bodies *out, const char *path)
{
    struct reader *r = calloc(1, sizeof *r);
    if (!r)
        return orr_fail(ORR_EMEMORY, "no memory to read %s", path);
    r->path = path;
    const char *why;
    r->file = orr_plain_file_open(path, &why);
    int code = r->file ? read_header(r, out) : orr_fail(ORR_EIO, "cannot read %s: %s", path, why);
    if (!code)
        code = read_rows(out, r);
    if (!code && !r->has_end)
        orr_bodies_note(out, "%s ends within line %zu: is its last number whole?", path, r->line);
    if (r->file)
        fclose(r->file);
    free(r);
    return code;
}

/* --- writing --- */

enum { LONGEST_ROW = (ORR_COLUMNS + 1) * 32, BLOCK = 256, BLOCKS = 64 };

/* Rows that all cores print together, a block each at a time. */
struct printed {
    char texts[BLOCKS][BLOCK * LONGEST_ROW];
    size_t used[BLOCKS];
};
typedef size_t print_row(char out[LONGEST_ROW], const void *of, size_t i);

static size_t print_rows(struct printed *out, size_t first, size_t n, print_row *print,
                         const void *of)
{
    const size_t rows = n - first < (size_t)BLOCKS * BLOCK ? n - first : (size_t)BLOCKS * BLOCK,
                 blocks = (rows + BLOCK - 1) / BLOCK;
#pragma omp parallel for schedule(static) if (blocks > 4)
    for (size_t block = 0; block < blocks; block++) {
        const size_t from = block * BLOCK, to = rows - from < BLOCK ? rows : from + BLOCK;
        size_t used = 0;
        for (size_t i = from; i < to; i++)
            used += print(out->texts[block] + used, of, first + i);
        out->used[block] = used;
    }
    return blocks;
}

static int write_rows(struct orr_output *to, size_t n, print_row *print, const void *of)
{
    struct printed *printed = malloc(sizeof *printed);
    int code = printed ? 0 : orr_fail(ORR_EMEMORY, "no memory to write %zu lines", n);
    for (size_t first = 0; first < n && !code; first += (size_t)BLOCKS * BLOCK) {
        size_t blocks = print_rows(printed, first, n, print, of);
        for (size_t k = 0; k < blocks && !code; k++)
            code = orr_output_write(to, printed->texts[k], printed->used[k]);
    }
    free(printed);
    return code;
}

static int print_id(char *out, uint64_t id, bool is_signed)
{
    return is_signed ? sprintf(out, "%" PRId64 ",", (int64_t)id) : sprintf(out, "%" PRIu64 ",", id);
}

static size_t print_body(char out[LONGEST_ROW], const void *of, size_t i)
{
    static const int order[ORR_COLUMNS] = {0, 1, 2, 6, 3, 4, 5};
    const struct orr_bodies *bodies = of;
    int used = 0;
    for (int f = 0; f < ORR_COLUMNS; f++)
        if (bodies->dimensions == 3 || (order[f] != 2 && order[f] != 5))
            used += snprintf(out + used, LONGEST_ROW - (size_t)used, "%.17g,",
                             orr_bodies_column(bodies, order[f])[i]);
    if (bodies->id)
        used += print_id(out + used, bodies->id[i], bodies->signed_ids);
    out[used - 1] = '\n';
    return (size_t)used;
}

static int write_csv(struct orr_bodies *bodies, struct orr_output *to)
{
    char header[64];
    const int used = snprintf(header, sizeof header, "%s%s\n",
                              bodies->dimensions == 3 ? "x,y,z,mass,vx,vy,vz" : "x,y,mass,vx,vy",
                              bodies->id ? ",id" : "");
    return orr_output_open(to) || orr_output_write(to, header, (size_t)used) ||
                   write_rows(to, bodies->n, print_body, bodies)
               ? orr_error_failed()
               : 0;
}

static size_t print_entry(char out[LONGEST_ROW], const void *of, size_t i)
{
    const struct orr_table *table = of;
    int used = 0;
    for (int c = 0; c < table->count; c++)
        used += snprintf(out + used, LONGEST_ROW - (size_t)used, "%.9g%c",
                         (double)table->values[c][i], ',');
    if (table->types)
        used += snprintf(out + used, LONGEST_ROW - (size_t)used, "%d,", table->types[i]);
    if (table->ids)
        used += print_id(out + used, table->ids[i], table->signed_ids);
    out[used - 1] = '\n';
    return (size_t)used;
}

int orr_csv_write_table(const struct orr_table *table, struct orr_output *to)
{
    char line[6 * 32];
    int used = 0;
    for (int c = 0; c < table->count; c++)
        used += snprintf(line + used, sizeof line - (size_t)used, "%s%s", c ? "," : "",
                         table->names[c]);
    used += snprintf(line + used, sizeof line - (size_t)used, "%s%s\n", table->types ? ",type" : "",
                     table->ids ? ",ParticleIDs" : "");
    if (orr_output_open(to) || orr_output_write(to, line, (size_t)used) ||
        write_rows(to, table->n, print_entry, table))
        return orr_error_failed();
    if (!table->words || !table->words->is_part)
        return 0;
    char words[LONGEST_ROW + 320];
    used = snprintf(words, sizeof words, "# %s\n", table->words->sum);
    return orr_output_write(to, words, (size_t)used);
}

const struct orr_codec orr_codec_csv = {
    .name = "csv",
    .endings = {".csv"},
    .recognise = recognise,
    .read = read_csv,
    .write = write_csv,
    .loses = "header, units, types and further arrays",
};

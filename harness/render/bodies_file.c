#include "render/render.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "datasets/formats/format.h"
#include "error.h"
#include "plain_file.h"
#include "text.h"

enum { LONGEST_LINE = 256 };

/* "x,y,z" and nothing else. */
static bool read_line(double x[3], char *line)
{
    char *rest = line;
    line[strcspn(line, "\r\n")] = '\0';
    for (int d = 0; d < 3; d++) {
        char *field = rest;
        rest = field ? strchr(field, ',') : NULL;
        if (!field || (d < 2) != (rest != NULL))
            return false;
        if (rest)
            *rest++ = '\0';
        if (!orr_text_number(field, &x[d]))
            return false;
    }
    return true;
}

/* Opens a file that begins with three numbers; NULL for any other. */
static FILE *open_positions(const char *path)
{
    const char *why;
    char line[LONGEST_LINE];
    double x[3];
    FILE *file = orr_plain_file_open(path, &why);
    if (file && fgets(line, sizeof line, file) && read_line(x, line)) {
        rewind(file);
        return file;
    }
    if (file)
        fclose(file);
    return NULL;
}

static int count_lines(size_t *count, FILE *file, const char *path)
{
    char line[LONGEST_LINE];
    *count = 0;
    while (fgets(line, sizeof line, file))
        ++*count;
    rewind(file);
    return ferror(file) ? orr_fail(ORR_EIO, "cannot read %s: %s", path, strerror(errno)) : 0;
}

static int read_positions(struct orr_bodies *out, FILE *file, const char *path)
{
    char line[LONGEST_LINE];
    size_t n, i = 0;
    int code = count_lines(&n, file, path);
    if (!code)
        code = orr_bodies_make(out, n, 2);
    for (; !code && i < n && fgets(line, sizeof line, file); i++) {
        double x[3];
        if (!read_line(x, line))
            return orr_fail(ORR_EINPUT, "%s:%zu: not three finite numbers x,y,z", path, i + 1);
        for (int d = 0; d < 3; d++)
            out->pos[d][i] = x[d];
        out->mass[i] = 1;
        if (x[2] != 0)
            out->dimensions = 3;
    }
    return code || i == n ? code : orr_fail(ORR_EIO, "%s changed while it was read", path);
}

int orr_bodies_file_read(struct orr_bodies *out, bool *weighed, const char *path)
{
    *out = (struct orr_bodies){0};
    FILE *file = open_positions(path);
    *weighed = !file;
    if (!file)
        return orr_snapshot_read(out, path);
    int code = read_positions(out, file, path);
    fclose(file);
    if (code)
        orr_bodies_release(out);
    return code;
}

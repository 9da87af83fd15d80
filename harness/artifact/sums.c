/* SHA256SUMS, as sha256sum writes and checks it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "artifact/artifact.h"
#include "artifact/artifact_parts.h"
#include "datasets/formats/output.h"
#include "error.h"
#include "plain_file.h"
#include "text.h"

enum { HEX = 64, LONGEST_LINE = 4096 };

/* --- writing --- */

/* sha256sum escapes such names, and no journal is called so. */
static int check_name(const char *name)
{
    return strpbrk(name, "\\\n\r")
               ? orr_fail(ORR_EINPUT, "'%s' is no name for a file of an artifact", name)
               : 0;
}

static int put(struct orr_output *output, const char *folder, const char *name)
{
    char path[2048], line[HEX + 2048];
    int code = check_name(name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!code)
        code = orr_text_sha256_file(path, line);
    if (code)
        return code;
    snprintf(line + HEX, sizeof line - HEX, "  %s\n", name);
    return orr_output_write(output, line, strlen(line));
}

int orr_artifact_sum(const char *folder)
{
    char **files, path[2048];
    struct orr_output output;
    int code = orr_artifact_files(&files, folder);
    if (code)
        return code;
    snprintf(path, sizeof path, "%s/" ORR_ARTIFACT_SUMS, folder);
    code = orr_output_begin(&output, path);
    if (!code)
        code = orr_output_open(&output);
    for (char **file = files; !code && *file; file++)
        code = put(&output, folder, *file);
    code = orr_output_end(&output, code);
    orr_names_free(files);
    return code;
}

/* --- checking --- */

struct sums {
    const char *folder;
    int (*say)(const char *text, void *context);
    void *context;
    struct orr_names listed;
};

static int say(const struct sums *sums, const char *name, const char *what)
{
    char text[3072];
    snprintf(text, sizeof text, "%s/%s %s", sums->folder, name, what);
    return sums->say(orr_text_tame(text), sums->context);
}

/* Neither absolute nor through "..": it lies below the folder. */
static bool is_below(const char *name)
{
    const char *up = strstr(name, "..");
    return *name && *name != '/' &&
           !(up && (up == name || up[-1] == '/') && (!up[2] || up[2] == '/'));
}

/* "<64 hex digits>  NAME", or " *NAME" of a binary file. */
static int check_line(struct sums *sums, char *line, size_t number)
{
    char is[HEX + 1], path[2048], where[64];
    struct stat status;
    line[strcspn(line, "\n")] = '\0';
    const char *name = strlen(line) > HEX + 2 ? line + HEX + 2 : "";
    snprintf(where, sizeof where, ORR_ARTIFACT_SUMS ":%zu", number);
    if (strspn(line, "0123456789abcdef") != HEX || line[HEX] != ' ' ||
        !strchr(" *", line[HEX + 1]) || !is_below(name) ||
        strlen(sums->folder) + strlen(name) + 2 > sizeof path)
        return say(sums, where, "is no hash of a file below this folder");
    orr_names_add(&sums->listed, "%s", name);
    snprintf(path, sizeof path, "%s/%s", sums->folder, name);
    if (lstat(path, &status))
        return say(sums, name, "is missing");
    if (!S_ISREG(status.st_mode))
        return say(sums, name, "is no plain file");
    int code = orr_text_sha256_file(path, is);
    if (!code && memcmp(is, line, HEX) != 0)
        code = say(sums, name, "was changed: its hash is not that of " ORR_ARTIFACT_SUMS);
    return code;
}

static int check_lines(struct sums *sums)
{
    char path[2048], *line = NULL;
    const char *why;
    size_t room = 0, length, number = 0;
    int more, code = 0;
    snprintf(path, sizeof path, "%s/" ORR_ARTIFACT_SUMS, sums->folder);
    FILE *file = orr_plain_file_open(path, &why);
    if (!file)
        return orr_fail(ORR_EIO, "cannot read %s: %s", path, why);
    while (!code && (more = orr_plain_file_line(&line, &room, &length, file, LONGEST_LINE)) != 0)
        code = more < 0 ? orr_error_context("%s:%zu", path, number + 1)
                        : check_line(sums, line, ++number);
    free(line);
    fclose(file);
    return code;
}

static bool is_listed(const struct sums *sums, const char *name)
{
    for (size_t k = 0; k < sums->listed.count; k++)
        if (!strcmp(sums->listed.items[k], name))
            return true;
    return !strcmp(name, ORR_ARTIFACT_SUMS);
}

int orr_artifact_is(const char *folder)
{
    char path[2048];
    struct stat status;
    return (size_t)snprintf(path, sizeof path, "%s/" ORR_ARTIFACT_SUMS, folder) < sizeof path &&
           !stat(path, &status);
}

int orr_artifact_check(const char *folder, int (*tell)(const char *text, void *context),
                       void *context)
{
    struct sums sums = {folder, tell, context, {0}};
    char **files = NULL;
    int code = check_lines(&sums);
    if (!code)
        code = orr_artifact_files(&files, folder);
    for (char **file = files; !code && file && *file; file++)
        if (!is_listed(&sums, *file))
            code = say(&sums, *file, "is in no line of " ORR_ARTIFACT_SUMS);
    orr_names_free(files);
    for (size_t k = 0; k < sums.listed.count; k++)
        free(sums.listed.items[k]);
    free(sums.listed.items);
    return code;
}

#include "artifact/artifact.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "artifact/artifact_parts.h"
#include "datasets/formats/output.h"
#include "error.h"

/* --- the files there are --- */

static int list(struct orr_names *names, const char *root, const char *below);

/* A file, or what is in a folder. */
static int list_entry(struct orr_names *names, const char *root, const char *inside)
{
    char path[2048];
    struct stat status;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", root, inside) >= sizeof path)
        return orr_fail(ORR_EINPUT, "path too long: %s/%s", root, inside);
    if (lstat(path, &status))
        return orr_fail(ORR_EIO, "cannot read %s: %s", path, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return list(names, root, inside);
    if (!S_ISREG(status.st_mode))
        return orr_fail(ORR_EINPUT, "%s is no plain file; an artifact holds no others", path);
    orr_names_add(names, "%s", inside);
    return 0;
}

static int list(struct orr_names *names, const char *root, const char *below)
{
    char path[2048], inside[1024];
    struct dirent *entry;
    int code = 0;
    snprintf(path, sizeof path, "%s/%s", root, below);
    DIR *open = opendir(path);
    if (!open)
        return orr_fail(ORR_EIO, "cannot read the folder %s: %s", path, strerror(errno));
    while (!code && (entry = readdir(open))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        if ((size_t)snprintf(inside, sizeof inside, "%s%s%s", below, *below ? "/" : "",
                             entry->d_name) >= sizeof inside)
            code = orr_fail(ORR_EINPUT, "path too long: %s/%s", path, entry->d_name);
        else
            code = list_entry(names, root, inside);
    }
    closedir(open);
    return code;
}

int orr_artifact_files(char ***out, const char *folder)
{
    struct orr_names names = {0};
    int code = list(&names, folder, "");
    return orr_names_finish(&names, out, code);
}

/* --- writing --- */

static int begin(struct orr_output *output, const char *folder, const char *name)
{
    char path[2048];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int code = orr_output_begin(output, path);
    return code ? code : orr_output_open(output);
}

static int write_json(const char *folder, const char *name, const json_t *value)
{
    struct orr_output output;
    char *text = json_dumps(value, JSON_INDENT(1));
    if (!text)
        return orr_fail(ORR_EMEMORY, "no memory for %s", name);
    int code = begin(&output, folder, name);
    if (!code) {
        code = orr_output_write(&output, text, strlen(text));
        if (!code)
            code = orr_output_write(&output, "\n", 1);
        code = orr_output_end(&output, code);
    }
    free(text);
    return code;
}

static int write_description(const char *folder, const json_t *about)
{
    struct orr_output output;
    int code = begin(&output, folder, "README.md");
    if (code)
        return code;
    code = orr_artifact_describe(output.file, about);
    return orr_output_end(&output, code);
}

static int write_crate(const char *folder, const json_t *about)
{
    json_t *crate = orr_artifact_crate(folder, about);
    int code = crate ? write_json(folder, ORR_ARTIFACT_CRATE, crate) : orr_error_code();
    json_decref(crate);
    return code;
}

int orr_artifact_write(const char *folder, const json_t *about, const json_t *verdicts)
{
    int code = write_json(folder, "claims.json", verdicts);
    if (!code)
        code = write_json(folder, "artifact.json", about);
    if (!code)
        code = write_description(folder, about);
    /* The metadata lists what is there, and the hashes are of the metadata, too. */
    if (!code)
        code = write_crate(folder, about);
    return code ? code : orr_artifact_sum(folder);
}

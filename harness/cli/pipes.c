#include "cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

static int make_folder(struct orr_pipes *pipes)
{
    const char *base = getenv("TMPDIR");
    if (*pipes->folder)
        return 0;
    if (!base || !*base || strlen(base) > sizeof pipes->folder - 24)
        base = "/tmp";
    snprintf(pipes->folder, sizeof pipes->folder, "%s/orrery-XXXXXX", base);
    if (mkdtemp(pipes->folder))
        return 0;
    *pipes->folder = '\0';
    return orr_fail(ORR_EIO, "cannot make a folder in %s: %s; TMPDIR names another", base,
                    strerror(errno));
}

static int copy(FILE *from, FILE *to, const char *what)
{
    char buffer[1 << 16];
    size_t size;
    while ((size = fread(buffer, 1, sizeof buffer, from)))
        if (fwrite(buffer, 1, size, to) != size)
            return orr_fail(ORR_EIO, "cannot write %s: %s", what, strerror(errno));
    return ferror(from) || fflush(to)
               ? orr_fail(ORR_EIO, "cannot copy %s: %s", what, strerror(errno))
               : 0;
}

int orr_pipes_input(struct orr_pipes *pipes, const char **path, char out[96])
{
    if (strcmp(*path, "-"))
        return 0;
    int code = orr_pipes_output(pipes, path, out, "standard-input");
    if (code)
        return code;
    FILE *file = fopen(out, "wb");
    code = file ? copy(stdin, file, "standard input") : ORR_EIO;
    if (!file || (fclose(file) && !code))
        code = orr_fail(ORR_EIO, "cannot write %s: %s", out, strerror(errno));
    return code;
}

int orr_pipes_output(struct orr_pipes *pipes, const char **path, char out[96], const char *name)
{
    if (strcmp(*path, "-"))
        return 0;
    int code = make_folder(pipes);
    if (code)
        return code;
    snprintf(out, 96, "%s/%s", pipes->folder, name);
    *path = out;
    return 0;
}

int orr_pipes_send(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return orr_fail(ORR_EIO, "cannot read %s: %s", path, strerror(errno));
    int code = copy(file, stdout, "to standard output");
    fclose(file);
    return code;
}

void orr_pipes_release(struct orr_pipes *pipes)
{
    DIR *folder = *pipes->folder ? opendir(pipes->folder) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder) {
        closedir(folder);
        rmdir(pipes->folder);
    }
    *pipes->folder = '\0';
}

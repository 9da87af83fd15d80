/* OpenCL's drivers as its loader finds them, and a choice of them. Both loaders in use, ocl-icd and
 * that of Khronos, take a folder of .icd files in OCL_ICD_VENDORS. */
#include "device/backend.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"

static bool is_icd(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && !strcmp(name + length - 4, ".icd");
}

static const char *setting(const char *name, const char *otherwise)
{
    const char *text = getenv(name);
    return text && *text ? text : otherwise;
}

/* Absolute, for links to it. */
static bool set_path(struct orr_opencl_driver *out, const char *folder, const char *name)
{
    char here[512] = "";
    if (*folder != '/' && !getcwd(here, sizeof here))
        return false;
    return (size_t)snprintf(out->path, sizeof out->path, "%s%s%s/%s", here, *here ? "/" : "",
                            folder, name) < sizeof out->path;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct orr_opencl_driver *)a)->path,
                  ((const struct orr_opencl_driver *)b)->path);
}

static int drivers_of(struct orr_opencl_driver *out, int capacity, const char *path)
{
    int count = 0;
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && count < capacity && (entry = readdir(folder));)
        if (is_icd(entry->d_name) && set_path(&out[count], path, entry->d_name))
            count++;
    if (folder)
        closedir(folder);
    qsort(out, (size_t)count, sizeof *out, by_path);
    return count;
}

int orr_opencl_drivers(struct orr_opencl_driver *out, int capacity)
{
    const char *standard = setting("OPENCL_VENDOR_PATH", "/etc/OpenCL/vendors"),
               *chosen = setting("OCL_ICD_VENDORS", standard);
    int count = drivers_of(out, capacity, chosen);
    if (count || !is_icd(chosen) || !capacity)
        return count;
    bool among =
        !strchr(chosen, '/') && set_path(out, standard, chosen) && !access(out->path, R_OK);
    return among || set_path(out, *chosen == '/' ? "" : ".", chosen + (*chosen == '/'));
}

int orr_opencl_folder(char *path, size_t size, const struct orr_opencl_driver *drivers, int count,
                      uint64_t chosen)
{
    const char *parts[64] = {NULL};
    size_t part_count = 0;
    for (int k = 0; k < count; k++)
        if (chosen >> k & 1)
            parts[part_count++] = drivers[k].path;
    if (!orr_cache_folder(path, size, parts, part_count))
        return orr_fail(ORR_EIO, "the kernel cache cannot be written to");
    for (size_t k = 0; k < part_count; k++) {
        char link[1024];
        snprintf(link, sizeof link, "%s%s", path, strrchr(parts[k], '/'));
        if (symlink(parts[k], link) && errno != EEXIST)
            return orr_fail(ORR_EIO, "cannot make %s: %s", link, strerror(errno));
    }
    return 0;
}

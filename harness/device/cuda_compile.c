/* CUDA: compilation with NVRTC (no device needed), and the names of the kernels in what comes
 * out. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/cuda.h"
#include "error.h"
#include "memory.h"

enum { MAX_OPTIONS = 128 };

/* Whether NVRTC makes machine code for this architecture; else *below is the newest older one it
 * knows. */
static bool knows(const struct orr_nvrtc_api *api, int architecture, int *below)
{
    int archs[128], count = 0;
    *below = 0;
    if (api->arch_count(&count) || count > 128 || api->archs(archs))
        return true; /* NVRTC reports it */
    for (int k = 0; k < count; k++) {
        if (archs[k] == architecture)
            return true;
        if (archs[k] < architecture && archs[k] > *below)
            *below = archs[k];
    }
    return false;
}

/* CUBIN where NVRTC knows the architecture, so that what was compiled is what runs; else PTX, which
 * the driver compiles. --fmad=false: the dialect spells FMA out, so that both languages round in
 * the same places. */
int orr_cuda_options(char *out, size_t size, int architecture, int warp, const char *defines)
{
    const char *why;
    int below = 0;
    const struct orr_nvrtc_api *api = orr_cuda_load_nvrtc(&why);
    bool direct = !api || knows(api, architecture, &below);
    if (!direct && !below)
        return orr_fail(
            ORR_EUNSUPPORTED,
            "%s does not compile for compute capability %d.%d: install an older CUDA toolkit",
            orr_cuda_nvrtc_version(), architecture / 10, architecture % 10);
    int length = snprintf(out, size,
                          "--gpu-architecture=%s_%d --std=c++17 -default-device --fmad=false "
                          "-DORR_CUDA=1 -DORR_WARP=%d%s%s",
                          direct ? "sm" : "compute", direct ? architecture : below, warp,
                          defines && *defines ? " " : "", defines ? defines : "");
    return (size_t)length < size
               ? 0
               : orr_fail(ORR_EINTERNAL, "the build defines are too long: %s", defines);
}

static int fail_build(const struct orr_nvrtc_api *api, struct _nvrtcProgram *program,
                      const struct orr_source *source)
{
    size_t size = 0;
    if (api->log_size(program, &size))
        size = 0;
    char *log = orr_memory_get(size + 1);
    if (size && api->log(program, log))
        log[0] = '\0';
    const char *line = strstr(log, "error");
    while (line && line > log && line[-1] != '\n')
        line--;
    if (!line)
        line = *log ? log : "the compiler gave no message";
    int code = orr_fail(ORR_EBUILD, "%s does not compile for CUDA: %.*s", source->name,
                        (int)strcspn(line, "\n"), line);
    free(log);
    return code;
}

static int take_image(const struct orr_nvrtc_api *api, struct _nvrtcProgram *program, bool ptx,
                      struct orr_cuda_image *out)
{
    if ((ptx ? api->ptx_size : api->cubin_size)(program, &out->size) || !out->size)
        return orr_fail(ORR_EBUILD, "NVRTC gave no %s", ptx ? "PTX" : "CUBIN");
    out->data = orr_memory_get(out->size + 1);
    if ((ptx ? api->ptx : api->cubin)(program, out->data)) {
        free(out->data);
        out->data = NULL;
        return orr_fail(ORR_EBUILD, "NVRTC gave no %s", ptx ? "PTX" : "CUBIN");
    }
    return 0;
}

int orr_cuda_compile(struct orr_cuda_image *out, const struct orr_source *source, int architecture,
                     int warp, const char *defines)
{
    const char *why, *words[MAX_OPTIONS];
    char options[1024];
    struct _nvrtcProgram *program = NULL;
    const struct orr_nvrtc_api *api = orr_cuda_load_nvrtc(&why);
    *out = (struct orr_cuda_image){NULL, 0};
    if (!api)
        return orr_fail(ORR_EUNSUPPORTED,
                        "cannot compile %s: %s; install the CUDA toolkit's NVRTC library (package "
                        "cuda-nvrtc or "
                        "libnvrtc12) or put it on LD_LIBRARY_PATH",
                        source->name, why);
    int code = orr_cuda_options(options, sizeof options, architecture, warp, defines);
    if (code)
        return code;
    bool ptx = strstr(options, "=compute_") != NULL;
    int count = orr_backend_split(options, words, MAX_OPTIONS);
    char name[96];
    snprintf(name, sizeof name, "%s.cu", source->name);
    if (api->create(&program, source->text, name, 0, NULL, NULL))
        return orr_fail(ORR_EBUILD, "NVRTC does not accept %s", source->name);
    if (api->compile(program, count, words))
        code = fail_build(api, program, source);
    else
        code = take_image(api, program, ptx, out);
    api->destroy(&program);
    return code;
}

static int add_name(char names[][64], int count, int capacity, const char *name, size_t length)
{
    if (count < capacity)
        snprintf(names[count], 64, "%.*s", (int)(length < 63 ? length : 63), name);
    return count + 1;
}

static int ptx_kernels(const char *text, char names[][64], int capacity)
{
    int count = 0;
    while ((text = strstr(text, ".entry "))) {
        text += strlen(".entry ");
        count = add_name(names, count, capacity, text, strcspn(text, " (\n"));
    }
    return count;
}

/* In a CUBIN, an ELF file, each kernel has a section ".text.<name>". Every offset is checked:
 * nothing else vouches for it. */
static int cubin_kernels(const unsigned char *data, size_t size, char names[][64], int capacity)
{
    Elf64_Ehdr head;
    Elf64_Shdr section, strings;
    int count = 0;
    if (size < sizeof head)
        return -1;
    memcpy(&head, data, sizeof head);
    size_t table = (size_t)head.e_shnum * sizeof section;
    if (head.e_shentsize != sizeof section || head.e_shstrndx >= head.e_shnum ||
        head.e_shoff > size || table > size - head.e_shoff)
        return -1;
    memcpy(&strings, data + head.e_shoff + head.e_shstrndx * sizeof section, sizeof strings);
    if (strings.sh_offset > size || !strings.sh_size ||
        strings.sh_size > size - strings.sh_offset || data[strings.sh_offset + strings.sh_size - 1])
        return -1;
    for (int k = 0; k < head.e_shnum; k++) {
        memcpy(&section, data + head.e_shoff + (size_t)k * sizeof section, sizeof section);
        if (section.sh_name >= strings.sh_size)
            return -1;
        const char *name = (const char *)data + strings.sh_offset + section.sh_name;
        if (!strncmp(name, ".text.", 6))
            count = add_name(names, count, capacity, name + 6, strlen(name + 6));
    }
    return count;
}

int orr_cuda_image_kernels(const struct orr_cuda_image *image, char names[][64], int capacity)
{
    if (image->size > SELFMAG && !memcmp(image->data, ELFMAG, SELFMAG))
        return cubin_kernels(image->data, image->size, names, capacity);
    return ptx_kernels(image->data, names, capacity);
}

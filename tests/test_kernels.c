/* SPDX-License-Identifier: MIT */
/* Every kernel file compiles with its default defines: by NVRTC for each compute capability, where
 * the library is installed (no GPU needed), and on each OpenCL device that is present. */
#include "all_kernels.h"
#include "device/cuda.h"
#include "device/device.h"
#include "error.h"
#include "tests/cases.h"

enum { MAX_DEVICES = 16, KERNELS = sizeof all_kernels / sizeof *all_kernels };

/* Build defines beside the defaults that choose other code. */
static const struct {
    const char *file, *defines;
} further[] = {
    {"access_ceilings", "-DFP64=1"},
    {"access_ceilings", "-DSKIP=3"},
    {"shan_global", "-DORRERY_COUNT=1"},
    {"direct", "-DDIMENSIONS=2 -DBODIES=8 -DRESIDENT=4 -DBLOCK=128 -DTILE=128"},
    {"direct", "-DDOUBLE=1 -DSOFTENED=0"},
    {"direct", "-DLOW=1 -DSOFTENED=0 -DBODIES=4 -DRESIDENT=4 -DBLOCK=128 -DTILE=128"},
    {"direct", "-DLOW=1 -DDOUBLE=1"},
    {"fujiwara_optimised", "-DLOW=1 -DSTAGED=0 -DSOFTENED=0"},
    {"fujiwara_unrolled", "-DLOW=1 -DBLOCK=256"},
    {"gaburov_octgrav_forces", "-DLOW=1 -DSHARE=1 -DSOFTENED=0 -DBLOCK=128 -DBODIES=2"},
    {"gaburov_octgrav_one", "-DLOW=1 -DMULTIPOLE=1"},
    {"gaburov_modern", "-DLOW=1"},
    {"gaburov_modern_walk", "-DLOW=1 -DSOFTENED=0 -DQUADRUPOLE=0"},
    {"gaburov_modern_walk", "-DLOW=1 -DWARPS=4 -DLANES=16 -DBODIES=4 -DEXPAND=1 -DRESIDENT=5"},
    {"third_law", "-DLOW=1 -DBODIES=8 -DWARPS=4 -DTILE=128 -DUNROLL_J=2 -DRESIDENT=4"},
    {"fujiwara_matrix_near", "-DLOW=1 -DRESIDENT=16"},
    {"direct", "-DDOUBLE=1 -DDIMENSIONS=2"},
    {"third_law", "-DBODIES=8 -DWARPS=4 -DTILE=128 -DUNROLL_J=2 -DRESIDENT=4"},
    {"third_law", "-DBODIES=12 -DWARPS=4 -DTILE=128 -DUNROLL_J=2 -DRESIDENT=4"},
    {"third_law", "-DDOUBLE=1 -DBODIES=4 -DWARPS=4 -DTILE=128 -DSOFTENED=0"},
    {"fujiwara_matrix", "-DEMULATED=0 -DRESIDENT=4"},
    {"fujiwara_matrix", "-DEMULATED=0 -DRESIDENT=5 -DUNROLL_PARTS=2"},
    {"fujiwara_matrix_near", "-DSOFTENED=0 -DRESIDENT=16"},
    {"fujiwara_optimised", "-DBLOCK=128 -DBODIES=8 -DTILE=256 -DSLICES=32 -DRESIDENT=4"},
    {"fujiwara_optimised", "-DDIMENSIONS=2 -DSOFTENED=0 -DBLOCK=128 -DBODIES=4 -DSLICES=32"},
    {"feng_modern_walk", "-DBLOCK=16 -DBODIES=4 -DSOFTENED=0"},
    {"feng_modern_walk", "-DWARPS=8"},
    {"radix_sort", "-DBLOCK=256"},
    {"radix_sort", "-DBLOCK=256 -DITEMS=12 -DSWEEP=1"},
    {"sorted_tree", "-DBLOCK=256 -DDIMENSIONS=2"},
    {"sorted_tree_small", "-DDIMENSIONS=2"},
    {"gaburov_modern", "-DBLOCK=256 -DOPENING=2 -DQUADRUPOLE=0"},
    {"gaburov_essential", "-DBLOCK=256 -DOPENING=2"},
    {"gaburov_essential", "-DOPENING=0"},
    {"essential_tree", "-DBLOCK=256"},
    {"curve_ranks", "-DBLOCK=256"},
    {"gaburov_modern_walk", "-DBLOCK=16 -DBODIES=4 -DSOFTENED=0 -DOPENING=2"},
    {"gaburov_modern_walk", "-DWARPS=8 -DLANES=16 -DBODIES=4 -DSOFTENED=0 -DOPENING=3"},
    {"gaburov_modern_walk", "-DOPENING=3 -DQUADRUPOLE=0"},
    {"gaburov_modern_walk", "-DWARPS=2 -DLANES=16 -DBODIES=4 -DEXPAND=1 -DRESIDENT=10"},
    {"gaburov_modern_walk", "-DWARPS=4 -DLANES=16 -DBODIES=4 -DEXPAND=1 -DRESIDENT=5 -DCUT=1"},
    {"gaburov_parts", "-DGROUP_BODIES=96"},
    {"shan_bpb", "-DORRERY_COUNT=1 -DBLOCK=33"},
    {"shan_bpb_tuned", "-DBLOCK=33"},
    {"shan_n3l_free", "-DACROSS=1 -DLANES=16 -DBODIES=4 -DRESIDENT=8 -DPARTS=4 -DQUEUED=1"},
    {"feng_essential", "-DBLOCK=256"},
    {"shan_bpb_n3l", "-DATOMIC=1 -DSTAGGERED=1"},
    {"shan_bpb_n3l", "-DATOMIC=2"},
    {"shan_bpb_n3l", "-DATOMIC=2 -DSTAGGERED=1 -DORRERY_COUNT=1"},
    {"feng_barnes_hut", "-DTHROTTLE=1"},
    {"feng_barnes_hut", "-DTHROTTLE=2"},
    {"feng_barnes_hut", "-DTHROTTLE=3 -DBUILD_BLOCK=32"},
    {"feng_update", "-DEULER=1"},
    {"leapfrog", "-DEULER=1"},
    {"gaburov_octgrav", "-DOPENING=1"},
    {"gaburov_octgrav", "-DOPENING=2 -DOPEN_POINTS=0"},
    {"gaburov_octgrav_forces", "-DSHARE=1 -DSOFTENED=0 -DBLOCK=100 -DBODIES=2"},
    {"gaburov_octgrav_forces", "-DMULTIPOLE=1 -DBLOCK=1 -DTILE=64"},
    {"gaburov_octgrav_one", "-DSHARE=1 -DMULTIPOLE=1 -DOPENING=2 -DBLOCK=40"},
    {"gaburov_octgrav_one", "-DSOFTENED=0 -DBLOCK=8"},
    {"gaburov_octgrav_scan", "-DBLOCK=256"},
    {"feng_barnes_hut_forces", "-DSOFTENED=0 -DFORCES_BLOCK=32"},
    {"feng_barnes_hut_forces", "-DORRERY_COUNT=1 -DFORCES_BLOCK=32"},
    {"feng_barnes_hut", "-DORRERY_COUNT=1"},
    {"feng_barnes_hut", "-DORRERY_COUNT=1 -DTHROTTLE=3"},
    {"feng_barnes_hut_order", "-DORRERY_COUNT=1"},
    {"feng_modern_walk", "-DORRERY_COUNT=1"},
    {"fujiwara_unrolled", "-DORRERY_COUNT=1 -DCOUNT_BODIES=1000"},
    {"fujiwara_optimised", "-DORRERY_COUNT=1 -DCOUNT_BODIES=1000"},
    {"fujiwara_optimised", "-DORRERY_COUNT=1 -DDIMENSIONS=2 -DSLICES=4"},
    {"fujiwara_optimised", "-DORRERY_COUNT=1 -DSTAGED=0 -DBLOCK=128 -DBODIES=8 -DRESIDENT=4"},
    {"gaburov_octgrav", "-DORRERY_COUNT=1"},
    {"gaburov_octgrav_forces", "-DORRERY_COUNT=1"},
    {"gaburov_octgrav_forces", "-DORRERY_COUNT=1 -DSHARE=1 -DBLOCK=128 -DBODIES=2"},
    {"gaburov_octgrav_one", "-DORRERY_COUNT=1"},
    {"gaburov_modern_walk", "-DORRERY_COUNT=1"},
    {"gaburov_modern_walk", "-DORRERY_COUNT=1 -DCUT=1"},
};

/* The compute capability that these defines ask for; 0: none, OpenCL compiles them too. */
static int capability_for(const char *defines)
{
    return strstr(defines, "EMULATED=0") ? 80 : 0;
}

/* Calls `each` with the further defines of the file for `capability`, 0: of OpenCL. */
static void with_further(const struct orr_source *source, int capability,
                         void (*each)(const struct orr_source *, const char *, void *), void *with)
{
    for (size_t k = 0; k < sizeof further / sizeof *further; k++)
        if (!strcmp(further[k].file, source->name) &&
            capability >= capability_for(further[k].defines))
            each(source, further[k].defines, with);
}

/* With further defines whether it compiles is the question, not how fast it is: NVRTC 13 is asked
 * to be quick, and leaves functions beside the kernels. */
static void compile_for(const struct orr_source *source, const char *defines, void *architecture)
{
    struct orr_cuda_image image;
    char names[CUDA_MAX_KERNELS][64];
    const bool quick = *defines && !strncmp(orr_cuda_nvrtc_version(), "NVRTC 13", 8);
    const char *options = filled("%s%s", defines, quick ? " -Ofc=mid" : "");
    if (orr_cuda_compile(&image, source, *(const int *)architecture, 32, options))
        fail_msg("sm_%d, %s: %s", *(const int *)architecture, defines, orr_error_text());
    int count = orr_cuda_image_kernels(&image, names, CUDA_MAX_KERNELS);
    assert_true(count > 0);
    assert_true(quick || count <= CUDA_MAX_KERNELS);
    for (int k = 0; k < count && !quick; k++)
        assert_non_null(strstr(source->text, names[k]));
    free(image.data);
}

static void build_on(const struct orr_source *source, const char *defines, void *device)
{
    struct orr_program *program = NULL;
    if (orr_build(device, &program, source, defines))
        fail_msg("%s: %s", defines, orr_error_text());
    orr_drop(device, program);
}

static bool is_supported(const struct orr_nvrtc_api *api, int architecture)
{
    int archs[128], count = 0;
    if (api->arch_count(&count) || count > 128 || api->archs(archs))
        return false;
    for (int k = 0; k < count; k++)
        if (archs[k] == architecture)
            return true;
    return false;
}

static const struct orr_nvrtc_api *need_nvrtc(void)
{
    const char *why;
    const struct orr_nvrtc_api *api = orr_cuda_library(ORR_CUDA_NVRTC, &why);
    if (!api) {
        print_message("skipped: %s\n", why);
        skip();
    }
    return api;
}

TEST(all_compile_with_nvrtc)
{
    /* The defaults for the oldest, the further defines for the newest, which has the code that
     * __CUDA_ARCH__ chooses, too; make nightly compiles everything for all of them. */
    static int architectures[] = {75, 120, 80, 86, 89, 90, 100};
    enum { OLDEST, NEWEST };
    const bool all = getenv("ORRERY_ALL_TESTS") != NULL;
    const size_t count = all ? sizeof architectures / sizeof *architectures : NEWEST + 1;
    const struct orr_nvrtc_api *api = need_nvrtc();
    for (size_t a = 0; a < count; a++)
        if (!is_supported(api, architectures[a]))
            print_message("%s does not know sm_%d\n", orr_cuda_nvrtc_version(), architectures[a]);
        else
            for (size_t k = 0; k < KERNELS; k++) {
                if (all || a == OLDEST)
                    compile_for(&all_kernels[k], "", &architectures[a]);
                if (all || a == NEWEST)
                    with_further(&all_kernels[k], architectures[a], compile_for, &architectures[a]);
            }
}

TEST(nvrtc_errors_show_the_line)
{
    struct orr_cuda_image image;
    orr_error_clear();
    const struct orr_source wrong = {
        "wrong", "#line 7 \"here.cl\"\nextern \"C\" __global__ void k() { nonsense; }\n"};
    need_nvrtc();
    assert_int_equal(orr_cuda_compile(&image, &wrong, 90, 32, "-DX=1 -DY=2"), ORR_EBUILD);
    assert_null(image.data);
    assert_non_null(strstr(orr_error_text(), "here.cl(7)"));
    assert_says("nonsense");
}

static const struct orr_source some = {
    "some", "extern \"C\" __global__ void some_kernel(int *x) { *x = 1; }\n"};

static struct orr_cuda_image compiled_for(int architecture)
{
    struct orr_cuda_image image;
    char names[4][64];
    assert_done(orr_cuda_compile(&image, &some, architecture, 32, NULL));
    assert_int_equal(orr_cuda_image_kernels(&image, names, 4), 1);
    assert_string_equal(names[0], "some_kernel");
    return image;
}

/* An architecture between those that NVRTC knows is compiled to PTX for the next older one. */
TEST(unknown_architectures_get_ptx)
{
    need_nvrtc();
    struct orr_cuda_image image = compiled_for(99);
    assert_non_null(strstr(image.data, ".version"));
    free(image.data);
    assert_int_equal(orr_cuda_compile(&image, &some, 13, 32, NULL), ORR_EUNSUPPORTED);
    orr_error_clear();
}

TEST(damaged_images_are_noticed)
{
    char names[4][64];
    need_nvrtc();
    struct orr_cuda_image image = compiled_for(90);
    for (size_t size = 4; size < image.size; size += 1 + image.size / 200) {
        struct orr_cuda_image part = {malloc(size + 1), size};
        memcpy(part.data, image.data, size);
        ((char *)part.data)[size] = '\0';
        assert_true(orr_cuda_image_kernels(&part, names, 4) <= 1);
        free(part.data);
    }
    free(image.data);
}

TEST(all_build_on_opencl)
{
    static struct orr_device_info devices[MAX_DEVICES];
    /* Whether they compile is the question; what PoCL's optimiser makes of them, of others. */
    if (!getenv("ORRERY_ALL_TESTS"))
        setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable", 0);
    int count = orr_device_list(devices, MAX_DEVICES), tried = 0;
    for (int k = 0; k < count; k++) {
        struct orr_device *device = NULL;
        if (strcmp(devices[k].backend, "opencl"))
            continue;
        assert_done(orr_device_open(&device, devices[k].id));
        for (size_t f = 0; f < KERNELS; f++, tried++) {
            build_on(&all_kernels[f], "", device);
            with_further(&all_kernels[f], 0, build_on, device);
        }
        orr_device_close(device);
    }
    if (!tried) {
        print_message("skipped: no OpenCL device\n");
        skip();
    }
}

RUN_TESTS(NULL, NULL)

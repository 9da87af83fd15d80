/* SPDX-License-Identifier: MIT */
/* Ryoanji, the GPU tree code of SPH-EXA, as a program; docs/PROGRAMS.md has the commands that build
 * it. Within a step: the columns go to the GPU, bodies are sorted along a Hilbert curve, the octree
 * is built, cells get quadrupoles, a tree walk gives accelerations, and these come back. Its own
 * seconds leave the two copies out. The calls are those of ryoanji/test/demo.cu and its
 * treebuilder.cuh, which sorts positions but not masses and allocates in every step. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <limits>
#include <tuple>
#include <vector>

#include <thrust/device_vector.h>

#include "cstone/cuda/cuda_utils.cuh"
#include "cstone/cuda/thrust_util.cuh"
#include "cstone/focus/source_center_gpu.h"
#include "cstone/primitives/primitives_gpu.h"
#include "cstone/sfc/sfc_gpu.h"
#include "cstone/traversal/groups_gpu.h"
#include "cstone/tree/octree_gpu.h"
#include "cstone/tree/update_gpu.cuh"
#include "ryoanji/nbody/cartesian_qpole.hpp"
#include "ryoanji/nbody/traversal_gpu.h"
#include "ryoanji/nbody/upsweep_gpu.h"

using Key = uint64_t;
using Multipole = ryoanji::CartesianQuadrupole<float>;
using ryoanji::LocalIndex;
template <class T> using Vector = thrust::device_vector<T>;

/* Bodies are not softened, but one meets itself in its own leaf: Ryoanji takes the square of twice
 * this length where a distance is shorter. */
static const float TINY = 1e-10f;

static const char *const names[] = {"x32", "y32", "z32", "m32", "ax", "ay", "az"};
enum { INPUTS = 4, COLUMNS = 7 };

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    printf("failed %s\n", cudaGetErrorString(error));
    exit(1);
}

/* What stands behind "name": in the line, NULL where it is not there. */
static char *member(char *line, const char *name)
{
    char key[40];
    snprintf(key, sizeof key, "\"%s\":", name);
    char *at = strstr(line, key);
    return at ? at + strlen(key) : NULL;
}

/* Maps a column and locks its pages, without which it is copied at a fifth of the speed. */
static float *map_column(char *line, int k, size_t n)
{
    char path[64] = "";
    char *at = member(line, names[k]);
    const bool input = k < INPUTS;
    int file =
        at && sscanf(at, "\"%63[^\"]\"", path) == 1 ? open(path, input ? O_RDONLY : O_RDWR) : -1;
    void *data = file < 0 ? MAP_FAILED
                          : mmap(NULL, n * sizeof(float),
                                 input ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (data == MAP_FAILED) {
        printf("failed no column %s\n", names[k]);
        exit(1);
    }
    close(file);
    if (cudaHostRegister(data, n * sizeof(float), input ? cudaHostRegisterReadOnly : 0))
        cudaGetLastError(); /* it is copied more slowly */
    return (float *)data;
}

__global__ void scatter(const LocalIndex *order, size_t n, const float *from, float *to)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        to[order[i]] = from[i];
}

struct Tree {
    size_t n = 0;
    float theta = 0.5f, *host[COLUMNS] = {};
    unsigned bucket = 64;
    Vector<float> given[COLUMNS], sorted[COLUMNS], h;
    Vector<Key> keys, keysBuffer;
    Vector<LocalIndex> order, orderBuffer, layout;
    Vector<char> sortBuffer;
    /* leaves as keys, and how many bodies each has: the last step's are the first guess */
    Vector<Key> tree, treeBuffer;
    Vector<unsigned> counts;
    Vector<cstone::TreeNodeIndex> work;
    cstone::OctreeData<Key, cstone::GpuTag> cells;
    Vector<ryoanji::Vec4<float>> centers;
    Vector<Multipole> multipoles;
    cstone::GroupData<cstone::GpuTag> groups;
    Vector<int> stack;

    void prepare(char *line);
    void copyIn();
    cstone::Box<float> sort();
    void build();
    void compute();
    void copyOut();
};

void Tree::prepare(char *line)
{
    for (int k = 0; k < COLUMNS; k++)
        if (host[k]) {
            cudaHostUnregister(host[k]);
            cudaGetLastError();
            munmap(host[k], n * sizeof(float));
        }
    n = strtoull(member(line, "n"), NULL, 10);
    theta = strtof(member(line, "theta"), NULL);
    /* The walk begins at the root's children, so the root must have some. */
    bucket = n > 128 ? 64 : n > 2 ? (unsigned)n / 2 : 1;
    for (int k = 0; k < COLUMNS; k++) {
        host[k] = map_column(line, k, n);
        given[k].resize(n);
        sorted[k].resize(n);
    }
    h.assign(n, TINY);
    keys.resize(n);
    keysBuffer.resize(n);
    order.resize(n);
    orderBuffer.resize(n);
    sortBuffer.resize(cstone::sortByKeyTempStorage<Key, LocalIndex>(n));
    tree = std::vector<Key>{0, cstone::nodeRange<Key>(0)};
    counts = std::vector<unsigned>{unsigned(n)};
    cstone::computeFixedGroups(0, n, ryoanji::bhMaxTargetSize(), groups);
    stack.resize(ryoanji::stackSize(groups.numGroups));
}

void Tree::copyIn()
{
    for (int k = 0; k < INPUTS; k++)
        check(
            cudaMemcpyAsync(rawPtr(given[k]), host[k], n * sizeof(float), cudaMemcpyHostToDevice));
    check(cudaDeviceSynchronize());
}

/* Sorts bodies along the curve and gives the box that holds them. */
cstone::Box<float> Tree::sort()
{
    float low = std::numeric_limits<float>::max(), high = -low;
    for (int k = 0; k < 3; k++) {
        auto [least, most] = cstone::MinMaxGpu<float>{}(rawPtr(given[k]), rawPtr(given[k]) + n);
        low = std::min(low, least);
        high = std::max(high, most);
    }
    const cstone::Box<float> box(low, high);
    cstone::computeSfcKeysGpu(rawPtr(given[0]), rawPtr(given[1]), rawPtr(given[2]),
                              cstone::sfcKindPointer(rawPtr(keys)), n, box);
    cstone::sequenceGpu(rawPtr(order), n, LocalIndex(0));
    cstone::sortByKeyGpu(rawPtr(keys), rawPtr(keys) + n, rawPtr(order), rawPtr(keysBuffer),
                         rawPtr(orderBuffer), rawPtr(sortBuffer), uint64_t(sortBuffer.size()));
    for (int k = 0; k < INPUTS; k++)
        cstone::gatherGpu(rawPtr(order), n, rawPtr(given[k]), rawPtr(sorted[k]));
    return box;
}

void Tree::build()
{
    while (!cstone::updateOctreeGpu<Key>({rawPtr(keys), n}, bucket, tree, counts, treeBuffer, work))
        ;
    cells.resize(cstone::nNodes(tree));
    cstone::buildOctreeGpu(rawPtr(tree), cells.data());
    layout.resize(counts.size() + 1);
    cstone::fillGpu(rawPtr(layout), rawPtr(layout) + 1, LocalIndex(0));
    cstone::inclusiveScanGpu(rawPtr(counts), rawPtr(counts) + counts.size(), rawPtr(layout) + 1);
}

void Tree::compute()
{
    const cstone::Box<float> box = sort();
    build();
    const float *x = rawPtr(sorted[0]), *y = rawPtr(sorted[1]), *z = rawPtr(sorted[2]),
                *m = rawPtr(sorted[3]), *const size = rawPtr(h);
    const auto view = cells.data();
    const auto level = toHost(cells.levelRange);
    if (centers.size() < size_t(cells.numNodes)) {
        centers.resize(cells.numNodes);
        multipoles.resize(cells.numNodes);
    }
    auto *center = rawPtr(centers);
    auto *multipole = rawPtr(multipoles);
    /* leaves stand behind the inner cells there */
    const auto *leaves = view.leafToInternal + cells.numInternalNodes;

    cstone::computeLeafSourceCenterGpu(x, y, z, m, leaves, cells.numLeafNodes, rawPtr(layout),
                                       center);
    cstone::upsweepCentersGpu(cstone::maxTreeLevel<Key>{}, level.data(), view.childOffsets, center);
    ryoanji::computeLeafMultipoles(x, y, z, m, leaves, cells.numLeafNodes, rawPtr(layout), center,
                                   multipole);
    for (int l = int(cstone::maxTreeLevel<Key>{}) - 1; l >= 1; l--)
        ryoanji::upsweepMultipoles(level[l], level[l + 1], view.childOffsets, center, multipole);
    cstone::setMacGpu(view.prefixes, cells.numNodes, center, 1.f / theta, box);

    for (int k = INPUTS; k < COLUMNS; k++)
        check(cudaMemsetAsync(rawPtr(sorted[k]), 0, n * sizeof(float)));
    ryoanji::traverse(groups.view(), 1, x, y, z, m, size, x, y, z, m, size, view.childOffsets,
                      view.internalToLeaf, rawPtr(layout), center, multipole, 1.f, 0,
                      {box.lx(), box.ly(), box.lz()}, (float *)nullptr, rawPtr(sorted[4]),
                      rawPtr(sorted[5]), rawPtr(sorted[6]), rawPtr(stack));
    for (int k = INPUTS; k < COLUMNS; k++)
        scatter<<<(n + 255) / 256, 256>>>(rawPtr(order), n, rawPtr(sorted[k]), rawPtr(given[k]));
    check(cudaDeviceSynchronize());
}

void Tree::copyOut()
{
    for (int k = INPUTS; k < COLUMNS; k++)
        check(
            cudaMemcpyAsync(host[k], rawPtr(given[k]), n * sizeof(float), cudaMemcpyDeviceToHost));
    check(cudaDeviceSynchronize());
}

int main()
{
    static char line[1 << 16];
    Tree tree;
    setvbuf(stdout, NULL, _IOLBF, 0); /* an answer is sent at its end */
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"describe\"")) {
            puts("{\"summary\":\"Ryoanji, the GPU tree code of SPH-EXA\",\"tree\":true,"
                 "\"gpu\":true,\"results\":\"fp32\",\"parameters\":{"
                 "\"eps\":{\"default\":0.0,\"min\":0,\"max\":0},"
                 "\"theta\":{\"default\":0.5,\"min\":0,\"max\":2}}}");
        } else if (strstr(line, "\"prepare\"")) {
            tree.prepare(line);
            puts("ready quadrupoles in single precision, 64 bodies in a leaf and in a group");
        } else if (!strcmp(line, "step\n")) {
            tree.copyIn();
            const auto start = std::chrono::steady_clock::now();
            tree.compute();
            const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
            tree.copyOut();
            printf("stepped %g\n", seconds.count());
        } else {
            puts("done");
            break;
        }
    }
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* What ranks tell each other before they begin: whether each has a device, and what can connect
 * them. */
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "ranks/nccl.h"
#include "ranks/world.h"

bool orr_ranks_may_nccl(const struct orr_ranks_face *faces, int count, char *why, size_t room)
{
    char own[32], first[32];
    for (int k = 0; k < count; k++) {
        if (strcmp(faces[k].backend, "cuda")) {
            snprintf(why, room, "%s is no CUDA device", faces[k].device);
            return false;
        }
        for (int other = 0; other < k; other++)
            if (*faces[k].uuid && !strcmp(faces[k].uuid, faces[other].uuid)) {
                snprintf(why, room, "ranks %d and %d share one GPU", other, k);
                return false;
            }
    }
    for (int k = 0; k < count; k++) {
        if (!faces[k].nccl) {
            snprintf(why, room, "rank %d has no NCCL", k);
            return false;
        }
        if (faces[k].nccl == faces[0].nccl)
            continue;
        orr_nccl_name_version(first, sizeof first, faces[0].nccl);
        orr_nccl_name_version(own, sizeof own, faces[k].nccl);
        snprintf(why, room, "rank 0 has NCCL %s, rank %d has %s", first, k, own);
        return false;
    }
    *why = '\0';
    return true;
}

/* What all ranks say alike is told once. */
static int fail_as(const struct orr_ranks_face *faces, int count, int rank)
{
    const struct orr_ranks_face *face = &faces[rank];
    int code = face->ready < 0 ? face->ready : ORR_EUNSUPPORTED, alike = 0;
    for (int k = 0; k < count; k++)
        alike += faces[k].ready == face->ready && !strcmp(faces[k].why, face->why);
    if (*face->why && alike == count)
        return orr_fail(code, "%s", face->why);
    return orr_fail(code, "rank %d could not open its device%s%s", rank, *face->why ? ": " : "",
                    face->why);
}

int orr_ranks_check_faces(const struct orr_ranks_face *faces, int count)
{
    for (int k = 0; k < count; k++)
        if (faces[k].ready <= 0)
            return fail_as(faces, count, k);
    for (int k = 1; k < count; k++)
        if (strcmp(faces[k].name, faces[0].name))
            return orr_fail(ORR_EUNSUPPORTED,
                            "ranks take devices of one kind, and rank 0 has %s (%s), rank %d %s "
                            "(%s)",
                            faces[0].device, faces[0].name, k, faces[k].device, faces[k].name);
    return 0;
}

/* Whether two ids differ in nothing but their last number. */
static bool are_siblings(const char *a, const char *b)
{
    size_t own = strlen(a), other = strlen(b);
    while (own && a[own - 1] >= '0' && a[own - 1] <= '9')
        own--;
    while (other && b[other - 1] >= '0' && b[other - 1] <= '9')
        other--;
    return own == other && !strncmp(a, b, own);
}

int orr_ranks_device(char out[32], const char *first, int rank, int size,
                     const struct orr_device_info *devices, int count, bool oversubscribe)
{
    const char *there[ORR_DEVICE_MOST];
    int siblings = 0, at = 0;
    for (int k = 0; k < count && siblings < ORR_DEVICE_MOST; k++)
        if (are_siblings(devices[k].id, first)) {
            if (!strcmp(devices[k].id, first))
                at = siblings;
            there[siblings++] = devices[k].id;
        }
    if (!siblings)
        there[siblings++] = first; /* opening it says what there is */
    if (siblings - at < size && !oversubscribe)
        return orr_fail(ORR_EUNSUPPORTED,
                        "%d ranks from %s on take %d devices, and here %s %d: take fewer --ranks, "
                        "or, for tests, --oversubscribe",
                        size, first, size, siblings - at == 1 ? "is" : "are", siblings - at);
    snprintf(out, 32, "%s", there[(at + rank) % siblings]);
    return 0;
}

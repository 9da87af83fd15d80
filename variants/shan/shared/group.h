/* SPDX-License-Identifier: MIT */
/* The number of threads in a group, for the parameters `block` and `group`. */
#ifndef SHAN_GROUP_H
#define SHAN_GROUP_H

#include "shan.h"

/* Row of the parameter table for an int32_t member `block`: 512 are the paper's. */
#define SHAN_BLOCK_PARAM(type)                                                           \
    {                                                                                    \
        "block", ORR_PARAM_INT, offsetof(type, block), 512, 0, 4096, NULL,               \
            "threads a box gets (paper: 512); 0: fitted to the fullest box, at most 512" \
    }
/* The same for an int32_t member `group` of variants whose groups are no boxes. */
#define SHAN_GROUP_PARAM(type)                                           \
    {                                                                    \
        "group", ORR_PARAM_INT, offsetof(type, group), 0, 0, 4096, NULL, \
            "threads in a group; 0: by the device"                       \
    }

/* Threads that fit the fullest box: its bodies rounded up to the warp width, at most 512. */
size_t shan_group_fitted(const struct orr_job *job, const struct shan_boxes *boxes);
/* `asked` threads as parameter `name`, each with `bytes` of local memory: ORR_EUNSUPPORTED where
 * the device cannot. Where `asked` is 0, `otherwise` or as many as the device can. */
int shan_group_choose(struct orr_job *job, size_t *out, const char *name, int32_t asked,
                      size_t otherwise, size_t bytes);

#endif

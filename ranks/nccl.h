/* SPDX-License-Identifier: MIT */
/* NCCL, loaded at run time; its own header is not needed. Declarations as of NCCL 2.7, which added
 * ncclSend. */
#ifndef ORR_RANKS_NCCL_H
#define ORR_RANKS_NCCL_H

#include <stdbool.h>
#include <stddef.h>

struct ncclComm;
struct CUstream_st;
struct orr_nccl_id {
    char bytes[128];
};
enum { ORR_NCCL_SUCCESS = 0, ORR_NCCL_FLOAT32 = 7, ORR_NCCL_SUM = 0 };

/* member, symbol, parameters; all return an int, 0 for success */
#define ORR_NCCL_FUNCTIONS(X)                                                                    \
    X(version, ncclGetVersion, (int *out))                                                       \
    X(unique_id, ncclGetUniqueId, (struct orr_nccl_id * out))                                    \
    X(begin, ncclCommInitRank,                                                                   \
      (struct ncclComm * *out, int size, struct orr_nccl_id id, int rank))                       \
    X(gather, ncclAllGather,                                                                     \
      (const void *from, void *to, size_t count, int type, struct ncclComm *comm,                \
       struct CUstream_st *stream))                                                              \
    X(reduce, ncclReduceScatter,                                                                 \
      (const void *from, void *to, size_t count, int type, int operation, struct ncclComm *comm, \
       struct CUstream_st *stream))                                                              \
    X(send, ncclSend,                                                                            \
      (const void *from, size_t count, int type, int peer, struct ncclComm *comm,                \
       struct CUstream_st *stream))                                                              \
    X(receive, ncclRecv,                                                                         \
      (void *to, size_t count, int type, int peer, struct ncclComm *comm,                        \
       struct CUstream_st *stream))                                                              \
    X(group_start, ncclGroupStart, (void))                                                       \
    X(group_end, ncclGroupEnd, (void))

#define ORR_NCCL_MEMBER(member, symbol, parameters) int(*member) parameters;
struct orr_nccl_api {
    ORR_NCCL_FUNCTIONS(ORR_NCCL_MEMBER)
    const char *(*error_text)(int error);
};

/* NULL without NCCL; *why then says what is missing. ORRERY_NCCL=off switches it off. */
const struct orr_nccl_api *orr_nccl_load(const char **why);
/* "NCCL 2.28.3", or false and why there is none. */
bool orr_nccl_describe(char *out, size_t size);
/* "2.28.3" of a number as ncclGetVersion gives it. */
void orr_nccl_name_version(char *out, size_t size, int version);

#endif

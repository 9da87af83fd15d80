/* Counters of NVIDIA GPUs, by CUPTI's range profiler: a source for each kind of metric. */
#ifndef ORR_COUNTERS_CUDA_H
#define ORR_COUNTERS_CUDA_H

#include "measure/counter_source.h"

extern const struct orr_counter_source orr_counters_cuda_patched, orr_counters_cuda_hardware;

#endif

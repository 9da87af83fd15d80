/* CUDA: a recording is a graph, captured from the stream. */
#include <stdlib.h>

#include "device/cuda.h"
#include "error.h"
#include "memory.h"

struct orr_recording {
    struct CUgraphExec_st *graph;
};

static bool can_record(const struct orr_cuda_api *api)
{
    return api->capture_begin && api->capture_end && api->graph_instantiate && api->graph_launch &&
           api->graph_destroy && api->graph_exec_destroy;
}

/* What the backend would refuse is kept from it: its calls fail, and stay failed, in a capture. */
int orr_cuda_record(struct orr_device *device)
{
    const struct cuda_device *cuda = (struct cuda_device *)device;
    if (!can_record(cuda->api)) {
        device->unrecorded = true;
        return 0;
    }
    orr_cu_enum error = cuda->api->capture_begin(cuda->stream, ORR_CU_CAPTURE_RELAXED);
    return error ? orr_cuda_fail(device, error, "cannot record what is queued") : 0;
}

int orr_cuda_record_end(struct orr_device *device, struct orr_recording **out)
{
    const struct cuda_device *cuda = (struct cuda_device *)device;
    const struct orr_cuda_api *api = cuda->api;
    struct orr_recording *recording = out ? orr_memory_get(sizeof *recording) : NULL;
    struct CUgraph_st *graph = NULL;
    /* A capture that something broke ends with an error and no graph. */
    orr_cu_enum error = api->capture_end(cuda->stream, &graph);
    if (!error && graph && recording)
        error = api->graph_instantiate(&recording->graph, graph, 0);
    if (graph)
        api->graph_destroy(graph);
    if (!error && recording && recording->graph && api->graph_upload)
        error = api->graph_upload(recording->graph, cuda->stream);
    if (error || !recording || !recording->graph) {
        orr_cuda_erase(device, recording);
        return 0;
    }
    *out = recording;
    return 0;
}

int orr_cuda_replay(struct orr_device *device, struct orr_recording *recording)
{
    const struct cuda_device *cuda = (struct cuda_device *)device;
    orr_cu_enum error = cuda->api->graph_launch(recording->graph, cuda->stream);
    return error ? orr_cuda_fail(device, error, "replay of a recording failed") : 0;
}

void orr_cuda_erase(struct orr_device *device, struct orr_recording *recording)
{
    const struct cuda_device *cuda = (struct cuda_device *)device;
    if (recording && recording->graph)
        cuda->api->graph_exec_destroy(recording->graph);
    free(recording);
}

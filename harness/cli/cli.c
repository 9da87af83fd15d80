#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "device/device.h"
#include "error.h"
#include "run/referee.h"
#include "names.h"
#include "run/worker.h"

int orr_cli_report_error(void)
{
    fprintf(stderr, "orrery: %s\n",
            orr_error_code() ? orr_error_text() : "failed without a message");
    return orr_error_code() ? orr_error_exit(orr_error_code()) : ORR_EXIT_SOME_FAILED;
}

int orr_cli_status(int code)
{
    return code < 0 ? orr_cli_report_error() : ORR_EXIT_OK;
}

int orr_cli_worker(int argc, char **argv)
{
    int status = !strcmp(argv[0], "__referee")            ? orr_referee_serve()
                 : argc > 1 && !strcmp(argv[0], "__rank") ? orr_worker_serve(argv[1])
                                                          : orr_worker_serve(NULL);
    orr_cli_report_error();
    return status;
}

int orr_cli_probe_devices(struct orr_device_probe *out, bool host_only)
{
    struct orr_names left_out = {0};
    int code = orr_device_probe(out, host_only, &left_out);
    for (size_t k = 0; k < left_out.count; k++)
        fprintf(stderr, "orrery: %s; `orrery doctor` says more\n", left_out.items[k]);
    orr_names_free(left_out.items);
    return code ? orr_error_context("looking for devices") : 0;
}

json_t *orr_cli_with_schema(json_t *rows, const char *schema)
{
    size_t k;
    json_t *row;
    json_array_foreach (rows, k, row)
        json_object_set_new(row, "schema", json_string(schema));
    return rows;
}

void orr_cli_print_line(FILE *to, const json_t *value)
{
    json_dumpf(value, to, JSON_COMPACT);
    putc('\n', to);
}

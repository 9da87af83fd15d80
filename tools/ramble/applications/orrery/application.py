# SPDX-License-Identifier: MIT
"""`orrery run` as an application of Ramble: `ramble repo add` the folder that holds repo.yaml."""
from ramble.appkit import *


class Orrery(ExecutableApplication):
    """Published GPU N-body results, measured again and verified"""

    name = 'orrery'

    tags('benchmark', 'n-body', 'gpu')

    executable('run', ['{orrery} run {what} --preset {preset} --device {device} --json '
                       '-o {experiment_run_dir}/results {more}',
                       'echo "orrery ended with $?"'],
               use_mpi=False, output_capture=OUTPUT_CAPTURE.STDOUT)

    workload('run', executables=['run'])

    workload_variable('orrery', default='orrery', description='the program',
                      workloads=['run'])
    workload_variable('what', default='',
                      description='papers, experiments or variants; `orrery list` names them',
                      workloads=['run'])
    workload_variable('preset', default='quick',
                      description='smoke, quick, paper or beyond', workloads=['run'])
    workload_variable('device', default='host',
                      description='cuda:0, opencl:0.0 or host', workloads=['run'])
    workload_variable('more', default='',
                      description='other options of `orrery run`, as --shard 2/4',
                      workloads=['run'])

    _log = '{experiment_run_dir}/{experiment_name}.out'

    # A line of the output is a cell.
    figure_of_merit_context(
        'cell',
        regex=r'.*"id":"(?P<id>[0-9a-f]+)","experiment":"(?P<experiment>[^"]+)",'
              r'"variant":"(?P<variant>[^"]+)","device":"(?P<device>[^"]+)",'
              r'"dataset":\{"name":"(?P<dataset>[^"]+)","n":(?P<n>[0-9]+)',
        output_format='{experiment} {variant} {dataset} n={n} {device} {id}')

    for _member, _units in (('seconds', 's'), ('kernel_seconds', 's'), ('end_to_end_seconds', 's'),
                          ('interactions_per_second', '1/s'), ('error_median', '')):
        figure_of_merit(
            _member, log_file=_log, contexts=['cell'], units=_units, group_name='value',
            fom_regex=rf'.*"{_member}":(?P<value>[-+.0-9e]+)')

    figure_of_merit(
        'outcome', log_file=_log, contexts=['cell'], units='', group_name='value',
        fom_regex=r'.*"outcome":"(?P<value>[^"]+)"')

    success_criteria('a cell ended ok', mode='string', file=_log,
                     match=r'.*"outcome":"ok"')
    # What is unsupported, or wrong on purpose, is no failure, as for the exit code of a run.
    success_criteria('no cell failed', mode='string', file=_log,
                     anti_match=r'.*"outcome":"(?!ok"|unsupported"|wrong on purpose")')
    success_criteria('the run came to its end', mode='string', file=_log,
                     match=r'orrery ended with 0$')

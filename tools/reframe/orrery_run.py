# SPDX-License-Identifier: MIT
"""`orrery run` as a test of ReFrame: every cell must end ok, and its time is a performance variable.

    reframe -c orrery_run.py -r -S orrery_run.what='PAPER/EXPERIMENT ...' -S orrery_run.device=cuda:0
"""
import json
import os

import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class orrery_run(rfm.RunOnlyRegressionTest):
    descr = 'Published GPU N-body results, measured again and verified'
    valid_systems = ['*']
    valid_prog_environs = ['*']
    executable = 'orrery'

    what = variable(str)  # papers, experiments or variants; `orrery list` names them
    preset = variable(str, value='quick')
    device = variable(str, value='host')
    shard = variable(str, value='')  # '2/4': the second of four parts
    more = variable(str, value='')  # other options of `orrery run`

    @run_before('run')
    def ask(self):
        self.executable_opts = ['run', *self.what.split(), '--preset', self.preset,
                                '--device', self.device, '--json', '-o', 'results',
                                *(['--shard', self.shard] if self.shard else []),
                                *self.more.split()]
        self.keep_files = ['results']

    def cells(self):
        path = os.path.join(self.stagedir, sn.evaluate(self.stdout))
        with open(path, encoding='utf-8') as lines:
            return [json.loads(line) for line in lines if line.startswith('{')]

    @sanity_function
    def every_cell_ended_well(self):
        cells = self.cells()
        if not cells:
            return sn.assert_true(False, msg='no cell was measured')
        return sn.all([sn.assert_in(cell['outcome'], ['ok', 'unsupported', 'wrong on purpose'],
                                    msg=f"{name_of(cell)}: {cell['outcome']}: {cell['reason']}")
                       for cell in cells])

    @run_before('performance')
    def take_times(self):
        for cell in self.cells():
            if cell['seconds'] is not None:
                self.perf_variables[name_of(cell)] = sn.make_performance_function(
                    sn.defer(cell['seconds']), 's')


def name_of(cell):
    """What tells cells apart; the id stands for the settings."""
    return '_'.join([cell['experiment'], cell['variant'], cell['dataset']['name'],
                     str(cell['dataset']['n']), cell['device'], cell['id'][:6]])

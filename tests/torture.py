# SPDX-License-Identifier: MIT
"""Kills `orrery run plugins/torture` and starves it: nothing that was acknowledged is lost, and every run can be ended."""
import ctypes
import glob
import json
import os
import pathlib
import random
import shutil
import signal
import sys
import time

build, work = (pathlib.Path(word) for word in sys.argv[1:])
results, said, told = work / 'results', work / 'said', work / 'told'
CELLS = 24
FAR = 4 # cells into a session that a kill comes at the latest
KILLS = 50
PATIENCE_S = 20 # until what must end has ended
seed = int(os.environ.get('ORRERY_TEST_SEED', 20070809))
kills_wanted = max(KILLS, int(os.environ.get('ORRERY_TORTURE', KILLS)))
now = time.monotonic


def rounds(usual):
    return usual * kills_wanted // KILLS


# --- the program

def start(journal, **fault):
    """`orrery run` with stdout in `said` and stderr in `told`; without a journal it begins a new one."""
    words = ['--resume', journal, '--failed'] if journal else ['plugins/torture', '--device', 'host', '--preset', 'smoke']
    anew = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    preload = {'LD_PRELOAD': f'{build}/tests/torture_faults.so'} if fault else {}
    return os.posix_spawn(build / 'orrery', ['orrery', 'run', *map(str, words), '--json', '-o', str(results)],
                          {**os.environ, **preload, **{name: str(number) for name, number in fault.items()}},
                          file_actions=[(os.POSIX_SPAWN_OPEN, 1, said, anew, 0o600), (os.POSIX_SPAWN_OPEN, 2, told, anew, 0o600)])


def children(of):
    """The children of a process and theirs."""
    found = []
    for path in glob.glob(f'/proc/{of}/task/*/children'):
        try:
            below = pathlib.Path(path).read_text().split()
        except OSError: # it has ended
            continue
        for child in map(int, below):
            found += [child, *children(child)]
    return found


def wait_for_all():
    """Until no process of a session is left, killed ones and orphans included, which come to us."""
    deadline = now() + PATIENCE_S
    while True:
        try:
            ended, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        assert now() < deadline, f'processes are left: {children(os.getpid())}'
        if not ended:
            time.sleep(0.001)


def wait_until(session, when):
    """The status of the session when it ends before `when`: an exit code, or a signal below 0. Else None."""
    while True:
        ended, status = os.waitpid(session, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if now() >= when:
            return None
        time.sleep(0.0005)


# --- the journal

def find(part):
    return list(results.rglob(f'*{part}*'))


class Journal:
    def __init__(self):
        clear()
        self.path, self.data = None, b'' # as it was after the last session

    def check(self):
        """After a session: how many cells are ok. A journal that has not begun is none."""
        self.path = self.path or next(iter(find('.jsonl')), None)
        if not self.path:
            return 0
        data, before, cells, at = self.path.read_bytes(), self.data, {}, 0
        assert data.startswith(before), f'{self.path}: what was there before has changed'
        while (end := data.find(b'\n', at)) >= 0: # behind it what was being written when the writer died
            if len(before) > at and b'\n' not in before[at:]: # half a line, sealed by the next writer
                assert end == len(before)
            else:
                record = json.loads(data[at:end])
                if 'id' in record:
                    cells.setdefault(record['id'], []).append(record)
            at = end + 1
        for line in said.read_bytes().split(b'\n')[:-1]:
            cell = json.loads(line)
            assert any(one['wall_s'] == cell['wall_s'] and one['outcome'] == cell['outcome'] for one in cells.get(cell['id'], [])), \
                f'a cell that was told is not in {self.path}'
        self.data = data
        if not data: # nobody has written its first line
            self.path.unlink()
            self.path = None
        return sum(records[-1]['outcome'] == 'ok' for records in cells.values())

    def complete(self, **fault):
        """A session that nobody disturbs ends the run: every cell is ok, each has its bodies, and nothing else is left."""
        assert wait_until(start(self.path, **fault), now() + 60) == 0
        wait_for_all()
        assert self.check() == CELLS
        assert [len(find(part)) for part in ('.jsonl', '.part', '.csv')] == [1, 0, CELLS]


def clear():
    """No results, and nothing said of them."""
    shutil.rmtree(results, ignore_errors=True)
    said.write_bytes(b'')


# --- kills

def kill(process):
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


def kill_at_random(session):
    """The parent, one of the processes below it, or all of them. Whether the session outlives it."""
    below = children(session)
    victim = random.choice(('parent', 'child', 'all'))
    random.shuffle(below)
    for process in {'parent': [], 'child': below[:1], 'all': below}[victim]:
        kill(process)
    if victim != 'child':
        kill(session)
    return victim == 'child'


def assert_ends(session, status):
    """Whatever is below it, a parent that lives ends in good order."""
    if status is None:
        status = wait_until(session, now() + 60)
    if status is None:
        kill(session)
    assert status in (-signal.SIGKILL, 0, 4, 5), f'a session ended with status {status}'
    wait_for_all()


def take_times():
    """How long a session without cells takes, and a cell, to kill within them."""
    journal, times = Journal(), [now()]
    for _ in range(2):
        journal.complete()
        times.append(now())
    empty = times[2] - times[1]
    return empty, (times[1] - times[0] - empty) / CELLS


def kills_lose_nothing():
    kills = runs = ok = 0
    journal = Journal()
    while kills < kills_wanted:
        session, status, goes_on = start(journal.path), None, True
        span = empty_s + min(CELLS - ok, FAR) * cell_s
        while goes_on:
            status = wait_until(session, now() + span * random.random())
            goes_on = status is None and kills < kills_wanted and kill_at_random(session)
            kills += status is None
        assert_ends(session, status)
        ok = journal.check()
        if ok == CELLS or kills >= kills_wanted:
            journal.complete()
            journal, ok, runs = Journal(), 0, runs + 1
    print(f'{kills_wanted} kills, {runs} runs completed; {empty_s:.3f} s without cells, {cell_s:.3f} s a cell')


# --- a full disk, a wrong clock

def starve(**fault):
    journal = Journal()
    status = wait_until(start(None, **fault), now() + 60)
    assert status in (0, 2, 5), f'{fault}: status {status}'
    wait_for_all()
    journal.check()
    assert not journal.data or journal.data.endswith(b'\n')
    journal.complete()


def a_full_disk_loses_nothing():
    for _ in range(rounds(3)):
        starve(TORTURE_DISK=random.randrange(40000))
    for _ in range(rounds(2)):
        starve(TORTURE_SYNC=1 + random.randrange(CELLS))


def a_clock_set_back_loses_nothing():
    for _ in range(rounds(1)):
        journal, fault = Journal(), {'TORTURE_CLOCK': random.randrange(2 * CELLS)}
        journal.complete(**fault)
        journal.complete(**fault) # with a clock behind that of the session before


# --- two at once

def two_go_on_with_one_journal():
    for _ in range(rounds(1)):
        journal, first = Journal(), start(None)
        if wait_until(first, now() + empty_s + CELLS / 2 * cell_s) is None:
            kill(first)
        wait_for_all()
        journal.check()
        if journal.path:
            both = [start(journal.path), start(journal.path)]
            ended = [wait_until(session, now() + 60) for session in both]
            assert ended in ([0, 0], [0, 2], [2, 0]), f'two at once ended with {ended}'
            wait_for_all()
        said.write_bytes(b'') # two wrote to it
        journal.check()
        journal.complete()


print(f'ORRERY_TEST_SEED={seed}')
random.seed(seed)
PR_SET_CHILD_SUBREAPER = 36
assert ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
empty_s, cell_s = take_times()
failures = 0
for test in (kills_lose_nothing, a_full_disk_loses_nothing, a_clock_set_back_loses_nothing, two_go_on_with_one_journal):
    try:
        test()
        print('ok', test.__name__, flush=True)
    except AssertionError as error:
        print(f'not ok {test.__name__}: {error}', told.read_text(errors='replace'), sep='\n', flush=True)
        failures += 1
sys.exit(failures > 0)

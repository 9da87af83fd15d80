-- SPDX-License-Identifier: MIT
-- One cell over the runs of each machine, oldest first; `orrery query "SELECT id, experiment, variant, n FROM latest"` lists cells.
-- low and high are the 95 % interval of the median; a cell that was not ok has no time.
SELECT r.machine, r.started, coalesce(r.commit_id, '?') AS commit_id, c.device, c.seconds,
    coalesce(c.seconds_low, c.seconds) AS low, coalesce(c.seconds_high, c.seconds) AS high, c.outcome,
    c.seconds / first_value(c.seconds) OVER (PARTITION BY r.machine, c.device ORDER BY r.started) AS over_first
FROM cell c JOIN run r USING (run_key) WHERE c.id = 'CELL' ORDER BY r.machine, c.device, r.started

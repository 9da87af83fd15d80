-- SPDX-License-Identifier: MIT
-- What each access costs, by the newest run of each machine and device; `asked` names the machine,
-- or NULL for all. present/queries.h says how such a file is read.

--: layout ceilings
--: setup
CREATE TEMP TABLE chosen AS
SELECT run_key, device, machine FROM (
    SELECT r.run_key, r.machine, a.device, row_number() OVER (
        PARTITION BY r.machine, a.device ORDER BY r.started DESC, r.run_key DESC) AS age
    FROM (SELECT DISTINCT run_key, device FROM access_rate) a JOIN run r USING (run_key)
    JOIN asked q ON coalesce(q.machine = r.machine, 1))
WHERE age = 1;
-- One row a kind and degree, in the order of measuring. Where no round has a rate, the reason.
CREATE TEMP TABLE shown AS
SELECT c.machine, a.device, max(a.device_name) AS device_name, a.kind, a.degree, a.unit,
    min(a.place) AS place, max(r.rate) AS rate, max(r.rate_low) AS rate_low,
    max(r.rate_high) AS rate_high, coalesce(max(r.rounds), 0) AS rounds, max(r.clock_mhz) AS clock_mhz,
    iif(max(r.rate) IS NULL, min(a.reason), NULL) AS reason, max(d.compute_units) AS units
FROM chosen c JOIN access_rate a USING (run_key, device)
LEFT JOIN access_ceiling r USING (run_key, device, kind, degree)
LEFT JOIN device d USING (run_key, device)
GROUP BY c.run_key, a.device, a.kind, a.degree;
--: facts
SELECT 'run', r.run || ' on ' || c.machine || ' (' || c.device || '), ' || r.started
    || coalesce(', ' || r.preset, '') || ', commit ' || coalesce(r.commit_id, 'unknown')
FROM chosen c JOIN run r USING (run_key) ORDER BY c.machine, c.device;
--: data Rates of the whole device
SELECT machine, device, device_name, kind, degree, unit, rate,
    si_text(rate, CASE unit WHEN 'launch' THEN 'launches' ELSE unit || 's' END || '/s') AS "rate.text", rate_low, rate_high,
    max(rate_high - rate, rate - rate_low) / rate AS around, 1 / rate AS seconds,
    rate / (iif(kind GLOB 'latency-*', 1, units) * clock_mhz * 1e6) AS of_clock, rounds, clock_mhz, reason
FROM shown ORDER BY machine, device, place, degree;
--: columns left | all | machine, device, kind, reason: why there is none
--: columns right | all | degree, rate, rounds
--: column around | ± | | percent | people
--: column of_clock | a clock and unit | | number | all
--: column clock_mhz | MHz | | count | all
--: programs *
--: remark
SELECT 'Rates are of the whole device, a second, medians over the rounds. "A clock and unit" divides '
    || 'them by the clock of then and the multiprocessors or cores. Degree: lanes of a warp that '
    || 'share an address, on the host threads. Latencies are steps a second of one chain, by a group '
    || 'that has its multiprocessor to itself.';

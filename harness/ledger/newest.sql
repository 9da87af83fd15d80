-- Once journals were loaded: which of their cells are the newest (schema.sql, latest). Those of
-- several ranks are for experiments with an axis of that name; elsewhere a cell is of one device.
-- A tuner's cells and those with tuned settings are none of them: what is shown is the default.
DELETE FROM newest;
INSERT INTO newest
SELECT cell_key FROM (
    SELECT cell_key, row_number() OVER (PARTITION BY operand, machine, experiment, variant,
            device, dataset, n, seed, coalesce(parameters, id)
        ORDER BY extrapolated, begun DESC, cell_key DESC) AS place
    FROM (
        SELECT *, row_number() OVER (PARTITION BY operand, machine, id ORDER BY extrapolated,
                begun DESC, cell_key DESC) AS age
        FROM (
            SELECT cell_key, operand, machine, experiment, variant, device, dataset, n, seed,
                parameters, id, extrapolated, coalesce(started, run_started) AS begun,
                row_number() OVER (PARTITION BY run_key, id ORDER BY extrapolated,
                    cell_key DESC) AS turn
            FROM cells WHERE tuning IS NULL AND (coalesce(ranks, 1) = 1 OR EXISTS (SELECT 1
                FROM axis a WHERE a.experiment = cells.experiment AND a.name = 'ranks')))
        WHERE turn = 1)
    WHERE age = 1)
WHERE place = 1;

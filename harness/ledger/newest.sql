-- Once journals were loaded: which of their cells are the newest (schema.sql, latest).
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
            FROM cells)
        WHERE turn = 1)
    WHERE age = 1)
WHERE place = 1;

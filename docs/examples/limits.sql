-- SPDX-License-Identifier: MIT
-- The table of docs/LIMITS.md: steps on both cards with CUDA (on the host for cpu- programs) and OpenCL.
SELECT variant AS program, n, parameters->>'theta' AS theta,
  max(seconds_text(seconds, '')) FILTER (WHERE h200 AND NOT opencl) AS "H200, step",
  max(printf('%.3g', interactions_per_second)) FILTER (WHERE h200 AND NOT opencl) AS "pairs/s",
  max(iif(ceiling_fraction > 0, printf('%.0f %%', 100 * ceiling_fraction), NULL)) FILTER (WHERE h200 AND NOT opencl) AS "of ceiling",
  max(ceiling_kind) AS kind,
  max(seconds_text(seconds, '')) FILTER (WHERE h200 AND opencl) AS "OpenCL",
  max(seconds_text(seconds, '')) FILTER (WHERE NOT h200 AND NOT opencl) AS "H100, step",
  max(seconds_text(seconds, '')) FILTER (WHERE NOT h200 AND opencl) AS "OpenCL "
FROM (SELECT *, machine = 'nvidia-h200' AS h200, device LIKE 'opencl%' AS opencl FROM rates)
WHERE NOT extrapolated AND coalesce(parameters->>'threads', 0) = 0 AND coalesce(parameters->>'theta', 0.5) IN (0.43, 0.9)
  AND (experiment IN ('fujiwara/fig14', 'feng/fig6', 'gaburov/headline') AND n IN (16384, 1000000, 8000000)
    OR experiment = 'shan/table3' AND per_box IN (8, 512))
  AND variant IN ('fujiwara/optimised', 'fujiwara/third-law', 'fujiwara/matrix',
    'shan/bpb-n3l-free', 'shan/cpu-simd', 'feng/barnes-hut-modern', 'feng/cpu-tuned',
    'gaburov/direct-fp64', 'gaburov/octgrav-modern', 'gaburov/cpu-tree-simd')
GROUP BY 1, n, theta

#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs that are killed at any moment, find the disk full, share a folder or see the clock set back. A short form; ORRERY_TORTURE=N kills
# N times (`make torture`).
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
# Cells as small as they get; each leaves a file of bodies beside the journal.
more='torture keep_bodies: true' plugins_paper right=torture torture:random-3d:n=2:25:+1
export OMP_NUM_THREADS=1 OCL_ICD_VENDORS=/nonexistent # the host is enough, and quicker
python3 "$root/tests/torture.py" "$BUILD" "$work"

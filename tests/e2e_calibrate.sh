#!/bin/bash
# SPDX-License-Identifier: MIT
# The judge judged: a paper of one's own with printed numbers, claims that they bear out, and faults planted in claims, errata and
# calibration; and every paper that comes with Orrery.
. "$(dirname "$0")/lib_e2e.sh"
cd "$work" || exit 1
judge() { exits "$1" "$BUILD/tests/calibrate" "${@:2}"; } # STATUS ARGUMENTS: make calibrate's program

# Every claim that the papers' own numbers can judge; both kinds are among them.
export ORRERY_HOME=$root
reproduced() { judge 0 --json && cp out all.json || { jq -c '.[] | select(.fails == 1 or .blind == 1)' out; return 1; }; }
check papers-reproduce-themselves reproduced
among() { jq -e ".[] | select(.claim == \"$1\" and .reading == \"\") | $2" all.json; }
check a-claim-is-fed among S1 '.verdict == "reproduced" and (.refuted | contains("shuffled"))'
check a-claim-is-not-fed among N7 '.verdict == "not judgeable: nothing printed"'

use_test_plugins
more='e presets: [{name: paper, limits: [{variant: scratch, n: 400}]}]' plugins_paper right=e own_thread=e scratch=e e:random-3d:n=100,200,400,800
paper=$ORRERY_HOME/variants/plugins
mkdir -p "$paper/published"
# right makes 1000 pairs a second; own_thread is 1.5 times as fast, as a ratio; scratch has a rate.
{
    echo experiment,variant,dataset,n,quantity,value,unit,device,includes,erratum
    for n in 100 200 400 800; do
        echo "plugins/e,right,random-3d,$n,seconds,$((n * (n - 1))),ms,a card,,"
        echo "plugins/e,own_thread,random-3d,$n,ratio/right,1.50,1,a card,,"
        echo "plugins/e,scratch,random-3d,$n,gflops,2.0e-6,Gflop/s,a card,,"
    done
} >"$paper/published/e.csv"
claims() {
    cat <<'SQL'
CREATE TEMP VIEW pair AS SELECT * FROM compared WHERE variant = 'plugins/own_thread' AND baseline = 'plugins/right';
INSERT INTO claim VALUES ('T1', 'Table E', 'own_thread is faster than right, by 1.5', 'own_thread is faster', '1.50',
    'orrery run plugins/e --preset paper');
INSERT INTO wanted SELECT 'T1', 'as printed', 'speedup', 'N = ' || column1, column1, 'above 1.02' FROM (VALUES (100), (200), (400), (800));
INSERT INTO wanted SELECT 'T1', 'as printed', 'amount', 'N = ' || column1, 1000 + column1, '1.45 to 1.55'
FROM (VALUES (100), (200), (400), (800));
INSERT INTO comparison SELECT 'T1', machine, device, timing FROM pair;
INSERT INTO part SELECT 'T1', machine, device, 'as printed', 'speedup', 'N = ' || n, timing, NULL, NULL, NULL,
    'above 1.02', NULL, cells FROM pair;
INSERT INTO part SELECT 'T1', machine, device, 'as printed', 'amount', 'N = ' || n, timing, NULL, NULL, NULL,
    '[1.45, 1.55]', NULL, cells FROM pair;
INSERT INTO claim VALUES ('T2', NULL, 'scratch makes 2e-6 Gflop/s', NULL, '2e-6', 'orrery run plugins/e --preset paper');
INSERT INTO wanted VALUES ('T2', 'as printed', 'rate', 'N = 800', 1, '1.95e-6 to 2.05e-6');
INSERT INTO part SELECT 'T2', machine, device, 'as printed', 'rate', 'N = 800', gflops, NULL, NULL, 'Gflop/s',
    '[1.95e-6, 2.05e-6]', NULL, json_array(cell_key)
FROM rates WHERE variant = 'plugins/scratch' AND n = 800;
INSERT INTO claim VALUES ('T3', NULL, 'what nobody printed', NULL, 'nothing', 'orrery run plugins/other');
INSERT INTO wanted VALUES ('T3', 'as printed', 'a number', '', 1, '1');
SQL
}
claims >"$paper/claims.sql"
# calibrates STATUS FILTER: its JSON makes the filter true.
calibrates() { judge "$1" --json plugins && jq -e "$2" out >/dev/null; }
of() { echo ".[] | select(.claim == \"$1\")"; }
sed -i 's|own_thread,random-3d,\([0-9]*\),ratio/right|right,random-3d,\1,ratio/own_thread|' "$paper/published/e.csv"
check a-ratio-has-a-direction calibrates 1 "$(of T1) | .fails == 1 and (.amiss | length) == 8 and .amiss[0].value == \"0.667\""
sed -i 's|right,random-3d,\([0-9]*\),ratio/own_thread|own_thread,random-3d,\1,ratio/right|' "$paper/published/e.csv"
check printed-numbers-reproduce calibrates 0 "$(of T1) | .verdict == \"reproduced\" and .parts == \"8 of 8\" and .fed == \"8 cells\""
check load-turns-nothing-round jq -e 'all(.[]; .opposite == [])' out
check nulls-refute jq -e "$(of T1) | .refuted == \"equal, flat, inverted, shuffled\"" out
check a-rate-is-refuted-by-a-tenth jq -e "$(of T2) | .verdict == \"reproduced\" and (.refuted | contains(\"tenfold\"))" out
check the-preset-scales jq -e "$(of T2) | .fed == \"1 cells, 1 scaled\"" out
check nothing-printed jq -e "$(of T3) | .verdict == \"not judgeable: nothing printed\"" out
check a-table-for-people eval 'judge 0 plugins && grep -q "plugins  T1" out'
check a-calibration-repeats-itself eval 'cp out a && judge 0 plugins && cmp out a'

# Faults. A part that the printed numbers contradict, then with the erratum that says why, and one that says it of nothing.
sed -i "s/'N = 800', gflops, NULL/'N = 800', 3 * gflops, NULL/" "$paper/claims.sql"
check a-contradiction-is-named eval 'judge 1 plugins && grep -q "T2: rate at N = 800 6.00e-06 Gflop/s (expected 1.95e-6 to 2.05e-6) is not so" out'
printf 'claim,reading,what,at,erratum\nT2,,rate,N = 800,the rate is three times too high\nT1,,speedup,N = 100,an old one\n' >"$paper/published/errata.csv"
check an-idle-erratum-fails calibrates 1 '.[-1] | .claim == "T1" and (.verdict | contains("excuses nothing: speedup N = 100"))'
check an-erratum-excuses jq -e "$(of T2) | .verdict == \"reproduced but for errata\" and .amiss[0].erratum == \"the rate is three times too high\"" out
rm "$paper/published/errata.csv"
# Claims that hold whatever is measured.
claims | sed "s/^    'above 1.02', NULL/    1, NULL/; s/'.1.45, 1.55.'/1/; s/'.1.95e-6, 2.05e-6.'/gflops > 0/" >"$paper/claims.sql"
check a-blind-claim-fails calibrates 1 "$(of T1) | .blind == 1 and .refuted == \"\""
check a-blind-rate-fails jq -e "$(of T2) | .blind == 1" out
# One that holds where nothing differs, and one that judges by itself, which takes what other programs did for the program's.
claims | sed "s/^    'above 1.02'/    'at least 0.98'/; s/'.1.45, 1.55.'/1/; s/'.1.95e-6, 2.05e-6.'/gflops > 1.99e-6/" >"$paper/claims.sql"
check no-difference-is-no-order calibrates 1 "$(of T1) | .blind == 1 and (.refuted | contains(\"inverted\"))"
check load-turns-it-round jq -e "$(of T2) | .fails == 1 and .opposite[0] == \"the verdict\" and .opposite[1] == \"rate at N = 800\"" out
# What a paper says of its quantities.
claims >"$paper/claims.sql"
cat >>"$paper/claims.sql" <<'SQL'
INSERT INTO claim VALUES ('T4', NULL, 'its error is 1e-4', NULL, '1e-4', 'orrery run plugins/e --preset paper');
INSERT INTO wanted VALUES ('T4', 'as printed', 'error', '', 1, '0.5e-4 to 1.5e-4');
INSERT INTO part SELECT 'T4', machine, device, 'as printed', 'error', '', error_median, NULL, NULL, NULL,
    '[0.5e-4, 1.5e-4]', NULL, json_array(cell_key) FROM latest WHERE variant = 'plugins/right' AND n = 100
    AND error_median NOT NULL;
SQL
check without-its-meaning calibrates 0 "$(of T4) | .verdict == \"not judgeable: what is printed feeds no part\""
echo "plugins/e,right,random-3d,100,error,1e-4,1,a card,," >>"$paper/published/e.csv"
echo "INSERT INTO fed SELECT cell, 'member', 'error/median', value, device FROM printed WHERE quantity = 'error';" >"$paper/calibration.sql"
check with-its-meaning calibrates 0 "$(of T4) | .verdict == \"reproduced\" and (.refuted | contains(\"tenfold\"))"
printf '\n\nDELETE FROM cell;\n' >>"$paper/calibration.sql"
check a-calibration-only-feeds eval 'judge 2 plugins && grep -q "variants/plugins/calibration.sql:4: not allowed here" err'
rm "$paper/calibration.sql"
check gone-from-the-program fails 2 '^orrery: claims --calibrate: gone; .make calibrate. ' claims --calibrate

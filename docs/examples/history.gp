# SPDX-License-Identifier: MIT
# Draws history.csv, what history.sql finds, into history.svg: a line a machine and device, its runs in their order, named by commits.
set datafile separator comma
set terminal svg size 800,450 background "white" noenhanced
set output "history.svg"
set xtics rotate by -40
set ylabel "seconds a step, 95 % interval"
set yrange [0:*]
set offsets 0.5, 0.5, 0, 0
set key bottom left
sides = system("tail -n +2 history.csv | cut -d, -f1,4 | sort -u | tr ',\n' '@ '")
plot for [k = 1:words(sides)] "history.csv" skip 1 \
    using 0:(word(sides, k) eq strcol(1) . "@" . strcol(4) ? $5 : NaN):6:7:xticlabels(strcol(3)[1:7]) with yerrorlines title word(sides, k)

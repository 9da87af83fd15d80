# A lattice whose lines are edges of boxes, moved off them by less than single precision sees.
awk 'BEGIN { print "x,y,mass"; for (i = 0; i <= 16; i++) for (j = 0; j <= 16; j++) printf "%.17g,%.17g,1\n", 1000 + i / 16 + (i * j % 7 - 3) * 1e-10, j / 16 - 77 + (i + j * j) % 5 * 1e-10 }' >edges.csv

awk 'BEGIN { srand(5); print "x,y,mass"; for (i = 0; i < 300; i++) print rand() "," rand() "," 1 + rand() }' >flat.csv

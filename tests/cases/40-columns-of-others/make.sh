printf 'id,name,x,y,z,mass,Phi\n7,a,0,0,0,1.0D+00,x\n9,b,1.0d0,0,0,1,\n11,c,0,2.0E+00,0,1,3\n' >fortran.csv
printf '# x y z vx vy vz m rho\n0 0 0 0 0 0 1 nan\n1 0 0 0 0 0 1 5\n0 2 0 0 0 0 1 -\n' >numpy.txt
printf 'x,y,z,mass\n0,0,0,1\n1,0,0,1\n0,2,0,1\n' >plain.csv
printf 'x,y,z,mass,id\n0,0,0,1,Sun\n1,0,0,1,Earth\n' >names.csv
printf 'x,y,pos_z,mass\n0,0,0,1\n1,0,0,1\n' >near.csv
printf 'x,y,z,weight\n0,0,0,1\n1,0,0,1\n' >weight.csv

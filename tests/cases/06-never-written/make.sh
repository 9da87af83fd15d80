# A reader that does not look at H5Dget_space_status, which is told that all is there.
cat >skips.c <<'END'
int H5Dget_space_status(long long set, int *status) { (void)set; *status = 2; return 0; }
END
gcc -shared -fPIC -o skips.so skips.c

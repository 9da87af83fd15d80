gcc -shared -fPIC -o noflock.so "$SOURCE/tests/drivers/nolocks.c"

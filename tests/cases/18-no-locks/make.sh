gcc -shared -fPIC -o nolocks.so "$SOURCE/tests/drivers/nolocks.c"

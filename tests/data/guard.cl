// One work-item each: write a word anywhere, fetch one from anywhere, tell where memory lies.
KERNEL plant(GLOBAL u32 *x, i32 at, u32 word)
{
    if (get_global_id(0) == 0)
        x[at] = word;
}
KERNEL take(GLOBAL const u32 *x, i32 at, GLOBAL u32 *out)
{
    if (get_global_id(0) == 0)
        out[0] = x[at];
}
KERNEL address(GLOBAL const u32 *x, GLOBAL u32 *out)
{
    if (get_global_id(0) == 0)
        out[0] = (u32)((size_t)x % 4096);
}

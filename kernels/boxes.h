/* Corners of boxes; w is not used. */
INLINE float4 lowest(float4 a, float4 b)
{
    return MAKE_FLOAT4(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z, 0.0f);
}

INLINE float4 highest(float4 a, float4 b)
{
    return MAKE_FLOAT4(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z, 0.0f);
}

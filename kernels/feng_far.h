/* SPDX-License-Identifier: MIT */
/* When a cell of the quadtree acts as one body on all bodies in a box: its width is less than theta
 * times the distance of its centre of mass from the box. cell: x, y, mass, width^2; box: lowest and
 * highest x and y. */
INLINE i32 is_far(float4 cell, float4 box, float theta2)
{
    const float left = box.x - cell.x, right = cell.x - box.z, below = box.y - cell.y,
                above = cell.y - box.w;
    const float wide = left > right ? left : right, high = below > above ? below : above;
    const float dx = wide > 0.0f ? wide : 0.0f, dy = high > 0.0f ? high : 0.0f;

    return cell.w < theta2 * FMA(dx, dx, dy * dy);
}

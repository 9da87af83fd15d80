/* SPDX-License-Identifier: MIT */
/* Rounds of a loop that teams of one group share, for the walks of trees. Included behind `struct
 * team`, with members t (of a team's threads), number (of the team) and tally (a word for each),
 * and needs WARPS and BLOCK.
 *
 * Where teams are warps each goes on by itself. Elsewhere they meet at every barrier, and so in
 * every round of a loop: as many as the team with most of them has. */
#if WARPS > 1 && !(ORR_VOTES && BLOCK == 32)
INLINE i32 most_of_teams(const struct team *m, i32 own)
{
    i32 most = 0;

    barrier(CLK_LOCAL_MEM_FENCE);
    if (m->t == 0)
        m->tally[m->number] = (u32)own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 team = 0; team < WARPS; team++)
        most = max(most, (i32)m->tally[team]);
    barrier(CLK_LOCAL_MEM_FENCE);
    return most;
}
#else
#define most_of_teams(m, own) (own)
#endif

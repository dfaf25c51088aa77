/*
 * A program with declarations only is refused.
 */
#pragma D option quiet

int x;

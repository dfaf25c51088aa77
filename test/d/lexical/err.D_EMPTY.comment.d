/*
 * A program without any clause is refused.
 */
#pragma D option quiet

/* nothing but a comment */

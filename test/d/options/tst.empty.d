/*
 * Asserts that an empty program is accepted with option empty.
 *
 * @@opts: -xempty -e
 * @@exit: 0
 */
#pragma D option quiet

/* nothing */

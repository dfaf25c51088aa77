/*
 * Asserts that an empty program is refused.
 */

/* nothing */

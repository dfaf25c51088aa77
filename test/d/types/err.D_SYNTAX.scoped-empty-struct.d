/*
 * Asserts that the missing members are what is wrong with an empty struct, before its scoped name.
 */

struct mod`tag {
};

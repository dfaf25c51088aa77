/*
 * Comments may stand before, between and after clauses, predicates and bodies.
 */
#pragma D option quiet

/* before */ BEGIN /* desc */ /1/ /* predicate */ { /* body */ printf("ok\n"); /* last */ exit(0); } /* after */
// end

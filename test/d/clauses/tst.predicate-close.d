/*
 * A predicate may stand close to its description and its body.
 */
#pragma D option quiet

BEGIN/1/{printf("a");}
BEGIN /1/{printf("b");}
BEGIN/1/ {printf("c\n");exit(0);}

/* Without a provider that has terms each use of one is a fault: illegal operation, which ERROR sees as 3. */
#pragma D option quiet
this term t;
BEGIN { printf("%d\n", is_atom(this->t)); }
BEGIN { printf("%s\n", text(this->t)); }
BEGIN { printf("%s\n", element(1, this->t)); }
BEGIN { printf("%d\n", this->t + 1); }
BEGIN { printf("%s\n", map_get("key", this->t)); }
BEGIN { exit(0); }
ERROR { printf("fault %d\n", arg4); }

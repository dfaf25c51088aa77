/* A declared key may not be a term; as a string it is the term's text. */
int seen[term];
BEGIN { exit(0); }

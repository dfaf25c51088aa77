/* A place in memory that is being read or changed. Private to the generator. */
#ifndef ET_GEN_GEN_PLACE_H
#define ET_GEN_GEN_PLACE_H

#include "gen/gen_priv.h"

/*
 * Thread-local and associative variables cannot be addressed. A place inside one lies in a copy (root, copy), which is
 * stored back after a change.
 */
struct place {
	struct type *type;
	struct node *root;    /* the variable whose copy this lies in, or NULL */
	unsigned window;      /* root's keys, kept until the place is closed */
	struct gen_val copy;  /* address of the copy, held if there is a root */
	bool in_copy;         /* base is copy itself */
	struct gen_val base;  /* held unless in_copy */
	int64_t off;          /* bytes from the base */
	unsigned shift, bits; /* a bit-field; bits is 0 if it is not one */
};

/* The keys of a variable into slots. */
unsigned var_window(struct gen *g, struct node *n);
void var_window_free(struct gen *g, struct node *n, unsigned window);
/* Loads the number or the address; for associative arrays the keys are in the window. */
void var_load(struct gen *g, struct node *n, unsigned window, int reg);
/* Not for global and clause-local strings and structures: those are copied to. */
void var_store(struct gen *g, struct node *n, unsigned window, int reg);
/* Global and clause-local strings and structures have addresses. */
bool var_is_addressed(const struct node *n);

void place_open(struct gen *g, struct node *n, struct place *p);
int place_load(struct gen *g, struct place *p); /* numbers */
/* Returns the address in a register that remains the place's own. */
int place_target(struct gen *g, struct place *p);
void place_store(struct gen *g, struct place *p, int reg);
/* After a change by address: stores the copy back into its variable. */
void place_changed(struct gen *g, struct place *p);
void place_close(struct gen *g, struct place *p);

#endif

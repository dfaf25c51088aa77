/*
 * The list of outputs: what records and aggregations can be written as instead of DTrace's text.
 *
 * Each has an option of its name (-x json) and a flag of the command (--json). How it writes is in a file of
 * src/consume, in a `struct output` named output_NAME (consume/consume.h). If several are asked for, the first of this
 * list is taken.
 */
#ifndef ET_BASE_OUTPUTS_H
#define ET_BASE_OUTPUTS_H

/* F(X, ID, name, what --help says) */
#define ET_OUTPUTS(F, X) F(X, JSON, json, "a JSON object a line")

#endif

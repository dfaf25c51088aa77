/* Erlang nodes among the processes of this machine, according to epmd and /proc: erlnode.c and nodes.c. */
#ifndef ET_CLI_BEAM_H
#define ET_CLI_BEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Calls fn for each name that epmd knows, with the port that the node listens on, until fn returns false. Returns
 * false if no epmd answers. */
bool epmd_each(bool (*fn)(void *arg, const char *alive, unsigned port), void *arg);
/* Returns whether the process is an Erlang VM. */
bool beam_is(pid_t pid);
/* Returns whether the process listens on this TCP port. Only its owner and root can tell. */
bool beam_listens(pid_t pid, unsigned port);
/* Finds name and cookie on its command line; "" if they are not there. */
void beam_words(pid_t pid, char *name, size_t nsize, char *cookie, size_t csize);

#endif

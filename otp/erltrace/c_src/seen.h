/*
 * The table of threads (threads.h), where programs in the kernel find it without reading the memory of a process.
 *
 * The command that runs such a script makes a BPF map and gives it to this process, which maps it where threads write
 * their rows a second time. A process gets a descriptor of another only through a socket. So there is a pair of
 * sockets, of which the command takes one end (pidfd_getfd); no name, network or file is needed for it. One script at a
 * time has this. Others, and all where it does not work, read the memory of this process, which is slower.
 *
 * All functions are called with hub.manage held.
 */
#ifndef ERLTRACE_SEEN_H
#define ERLTRACE_SEEN_H

#include "hub.h"

/* Returns the descriptor in this process to which the script's command may send a map; -1 if there is none. */
int seen_offer(const struct script *s);
/* Maps what was sent, if anything was. */
void seen_take(const struct script *s);
/* The script ends: what it had mapped is gone. */
void seen_drop(const struct script *s);

#endif

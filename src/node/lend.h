/*
 * A folder for a node that has none: in a hardened container nothing may be written, or nothing that is written may be
 * executed. The command makes a small file system in memory, which is mounted nowhere, and gives the node a descriptor
 * of it. Needs root, and Linux 5.6.
 *
 * The node asks for that with a socket that is connected to itself: the command takes it from the process (pidfd_getfd)
 * and puts the descriptor in. So nobody else can, whatever network, users and files the node has, and no name is told.
 * Nothing of this machine can be reached from the folder: it has no parent. It is gone when the node has closed it and
 * unloaded what came from it.
 */
#ifndef ET_NODE_LEND_H
#define ET_NODE_LEND_H

#include "base/why.h"

#include <stdbool.h>
#include <sys/types.h>

/* Makes the folder, for the user of the process alone, and puts it into its socket, together with a text of which the
 * process knows that it comes from us. Returns false with the reason if that cannot be done. */
bool lend_folder(pid_t pid, int socket, const char *text, struct why *why);

#endif

/*
 * Namespaces of other processes: a container's network, host name and files, without entering the container. Only the
 * calling thread goes there, for one call of the kernel, and comes back.
 */
#ifndef ET_NODE_NS_H
#define ET_NODE_NS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Opens a namespace of the process ("net", "uts"). Returns -1 if it is the one that we are in, or may not be opened. */
int ns_open(pid_t pid, const char *kind);
/* Returns a stream socket of IPv4 in that network (-1: our own), or -1 with errno. Flags: SOCK_NONBLOCK. */
int ns_socket(int net, int flags);
/* Reads the host name there, without its domain. */
void ns_host(int uts, char *host, size_t size);

/* Returns whether the process sees other files than we do, or we may not know. */
bool ns_other_files(pid_t pid);
/* Reads a file as the process sees it, at most size - 1 bytes. The process may have set traps: links lead nowhere else
 * than to its own files, and only regular files are read. Returns false if there is nothing to read. */
bool ns_read(pid_t pid, const char *path, char *text, size_t size);

#endif

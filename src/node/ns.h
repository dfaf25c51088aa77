/*
 * Namespaces of other processes: a container's network, host name and files, without entering the container. Only the
 * calling thread goes there, for one call of the kernel, and comes back.
 */
#ifndef ET_NODE_NS_H
#define ET_NODE_NS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Opens a namespace of the process ("net", "uts"). Returns -1 if it is the one that we are in, or may not be opened. */
int ns_open(pid_t pid, const char *kind);
/* Returns a stream socket of a family (AF_INET, AF_INET6) in that network (-1: our own), or -1 with errno. Flags:
 * SOCK_NONBLOCK. */
int ns_socket(int net, int family, int flags);
/* Reads the host name there, without its domain. */
void ns_host(int uts, char *host, size_t size);

/* Returns the number that the process has in its own namespace, also for one of its threads. Returns -1 if it is not
 * known. */
int64_t ns_inner_pid(pid_t pid);
/* Returns whether the process sees other files than we do, or we may not know. */
bool ns_other_files(pid_t pid);
/* Finds the user of the process. Who owns /proc/PID does not tell: a process can hide that. Returns false if it is
 * gone. */
bool ns_user(pid_t pid, uid_t *uid, gid_t *gid);
/* From now on the calling thread may open only files that the process's user may. There is no way back, so it should be
 * a thread for this alone. Returns false if that cannot be had. */
bool ns_become(pid_t pid);
/* Reads a file as the process sees it, at most size - 1 bytes. The process may have set traps: links lead nowhere else
 * than to its own files, and only regular files are opened. Returns false if there is nothing to read. */
bool ns_read(pid_t pid, const char *path, char *text, size_t size);

#endif

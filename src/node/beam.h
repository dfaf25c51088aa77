/*
 * An Erlang VM among the processes of this machine, and how its node can be reached as far as /proc tells: from its
 * command line, its environment, its files and its sockets. It may be in a container.
 *
 * What belongs to others' processes can be read only by root; without it, much stays unknown.
 */
#ifndef ET_NODE_BEAM_H
#define ET_NODE_BEAM_H

#include "node/end.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { TLS_OPTIONS = 8192, BEAM_COOKIES = 8, BEAM_PORTS = 16, BEAM_MS = 5000, BEAM_YOUNG_MS = 10000 };

struct beam_cookie {
	char text[256];
	const char *from; /* where it was found, in words */
};

/* Where it listens, and one or two addresses that lead there. */
struct beam_port {
	union node_end ends[2];
	unsigned port;
};

struct beam {
	pid_t pid;
	char name[512];   /* shop@host; shop if only epmd knows it; "" if it has none, or it is not known */
	char proto[64];   /* -proto_dist; "" for the usual one */
	int net;          /* its network, for ns_socket(); -1 if it is ours */
	bool sees_other;  /* its files are not ours */
	bool is_hidden;   /* its environment and sockets may not be read */
	bool is_stuck;    /* it was not possible to read all of it in time */
	bool is_ours;     /* its user is ours or root, and it sees our files */
	bool no_epmd;     /* it was asked and did not answer */
	bool no_listen;   /* it was told to take no connections */
	bool is_starting; /* it will have a name, listens nowhere yet, and was started a moment ago */
	int epmd_port;
	struct beam_cookie cookies[BEAM_COOKIES]; /* the most likely first */
	unsigned ncookies;
	struct beam_port ports[BEAM_PORTS]; /* of the distribution: the only one, if that is known; otherwise all */
	unsigned nports;
};

/* Returns whether the process is an Erlang VM. */
bool beam_is(pid_t pid);
/* Returns how many ms ago the process was started; UINT64_MAX if that is not known. */
uint64_t beam_age(pid_t pid);
/* Finds what can be known, within BEAM_MS, or until *stop is set; it may be NULL. Its cookies are those that it may
 * read itself. named: believes the name on its command line, which is quicker, but another node may have that name by
 * now; otherwise only its sockets tell. To be closed. */
void beam_open(struct beam *b, pid_t pid, bool named, const atomic_bool *stop);
/* Returns whether a distribution runs over TLS: a value of -proto_dist. */
bool beam_is_tls(const char *proto);
void beam_close(struct beam *b);
/* The node's name; "" if it has none, or it is not known. Returns false if it could not be looked at in time. */
bool beam_name(pid_t pid, char *name, size_t size);

/* The name on its command line, and nothing else; "" if it is not there. Returns false as beam_name() does. */
bool beam_said_name(pid_t pid, char *name, size_t size);
/* If its distribution runs over TLS: the options of its command line that say how, as words separated by blanks.
 * Otherwise "", and also if it is the process of somebody else: then they could make us read any file and run code.
 * The same limits as of beam_open(). Returns NULL, or why they cannot be told: then none are. */
const char *beam_tls_options(pid_t pid, const atomic_bool *stop, char *options, size_t size);
/* Returns whether the process listens on this TCP port of our own network. */
bool beam_listens(pid_t pid, unsigned port);
/* Returns whether a word of a command line says that the next one is the node's name. */
bool beam_is_name_option(const char *word);

#endif

/*
 * A live Erlang node, reached through its distribution as a hidden node.
 *
 * node_connect() finds the node and opens the connection; node_attach() sees to
 * it that the agent runs there; node_request() talks to the agent (protocol.h). engine_node
 * (remote.c) is the engine that the rest sees.
 *
 * One thread at a time. Errors are sentences in `why`: what failed of name,
 * epmd, cookie, version or permission, and what to do.
 */
#ifndef ET_NODE_NODE_H
#define ET_NODE_NODE_H

#include "engine/engine.h"
#include "node/protocol.h"
#include "node/sock.h"

#include <ei.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct node_conf {
	const char *name;   /* shop@host, or shop for this host */
	const char *cookie; /* NULL: ~/.erlang.cookie */
	const char *otp;    /* folder of the application: ebin and priv; NULL: beside the command, or what it carries */
	const char
	    *dir; /* the only folder of the node's machine where the library may be put; NULL: several are tried */
	unsigned timeout;        /* ms for each step; 0: 30000, as long as a silent command may keep a node tracing */
	const atomic_bool *stop; /* connecting and attaching end when this is set; or NULL */
};

/*
 * A file of the application that a program carries inside, by its name below the application's folder. The list ends
 * with one without a name. The command has it (src/cli/carried.c); a program that only links the library has not: NULL.
 */
struct node_part {
	const char *name, *from, *to;
};
extern const struct node_part node_carried[] __attribute__((weak));

struct nodelink;

/* Another way to the agent than the distribution: how a request gets there, and how the next message, {Ref, Reply},
 * comes back. False: the way is gone. */
struct node_way {
	bool (*send)(struct nodelink *n, unsigned long ref, const ei_x_buff *request);
	bool (*receive)(struct nodelink *n, ei_x_buff *x, int *index);
};

struct nodelink {
	const struct node_way *way; /* NULL: the distribution */
	void *way_arg;
	ei_cnode ec;
	int fd;
	struct node_sock sock; /* what ei has instead of fd */
	int slot;              /* keeps our name in the node from other commands of this machine; -1: none */
	char name[512], host[256];
	const char *address; /* where it is reached: the host, or this machine */
	bool is_local;       /* on this machine */
	unsigned timeout;
	erlang_pid agent;
	bool attached, refused; /* refused: attaching again is of no use */
	char dir[4096];         /* of node_conf */
	unsigned long refs;
	char otp[4096]; /* folder of the application; "": what the program carries */
	/* What the node says of itself. */
	int64_t os_pid;
	char release[32];
	/* Functions of stacks, by number; NULL: not asked for yet. */
	char **symbols;
	unsigned long nsymbols;
	char frame[1300]; /* the one that node_symbol told of last */
};

/* NULL: `why` says what to do. */
struct nodelink *node_connect(const struct node_conf *c, struct why *why);
bool node_attach(struct nodelink *n, struct why *why);
/* Whether attaching should end. */
bool node_stopped(const struct nodelink *n);
/* A link to an agent that is there already, over another way; fd is closed with the link. NULL: out of memory. */
struct nodelink *node_over(const struct node_way *way, void *arg, int fd, const char *name, int64_t os_pid);
/* Ends the agent, gently; the node cleans up by itself if this cannot be. */
void node_close(struct nodelink *n);

/* rpc: the result, decoded from index 0 of *result. args is an encoded list without version byte. */
bool node_rpc(struct nodelink *n, const char *module, const char *function, const ei_x_buff *args, ei_x_buff *result,
    struct why *why);
/* Once the agent is there: requests fail at once when it ends. */
bool node_watch(struct nodelink *n, struct why *why);
/* A request to the agent: an encoded term without version byte. reply->index stands on the reply term; {error, Text}
 * becomes false with that text. */
bool node_request(struct nodelink *n, const ei_x_buff *request, ei_x_buff *reply, int *index, struct why *why);
/* A request that is one atom. */
bool node_command(struct nodelink *n, const char *atom, ei_x_buff *reply, int *index, struct why *why);

/* Calls fn with module and function/arity of each function that matches two globs; false: it could not be asked. */
bool node_functions(struct nodelink *n, const char *module, const char *function,
    bool (*fn)(void *arg, const char *module, const char *function), void *arg, struct why *why);

/* Calls fn with the name of each process of the list that has one: its place in the list, and the name. */
void node_names(struct nodelink *n, const char *const *pids, unsigned npids,
    void (*fn)(void *arg, unsigned i, const char *name), void *arg);

/* The function that a frame of an Erlang stack stands for, with ":line" where that is known, or NULL; lives until the
 * next call. */
const char *node_symbol(struct nodelink *n, uint64_t addr);

/* The engine inside the node: eng_conf.link is the struct node. */
extern const struct engine_ops engine_node;

#endif

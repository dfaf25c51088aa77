/*
 * A live Erlang node, reached through its distribution as a hidden node.
 *
 * node_connect() finds the node and opens the connection. node_attach() makes sure that the agent runs there.
 * node_request() talks to the agent (protocol.h). engine_node (remote.c) is the engine that other folders see.
 *
 * One thread at a time. Errors are sentences in `why`: which of name, epmd, cookie, version or permission failed, and
 * what to do.
 */
#ifndef ET_NODE_NODE_H
#define ET_NODE_NODE_H

#include "engine/engine.h"
#include "node/protocol.h"
#include "node/sock.h"
#include "node/tunnel.h"

#include <ei.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct node_conf {
	const char *name;   /* shop@host, or shop for this host */
	const char *cookie; /* NULL for ~/.erlang.cookie, or what is found for `pid` */
	int64_t pid;        /* instead of a name: the node of this process, wherever it is on this machine; or 0 */
	const char *otp;    /* folder of the application: ebin and priv; NULL for the one beside the command, or what
			     * it carries */
	const char *dir;  /* the only folder of the node's machine where the library may be put; NULL to try several */
	unsigned timeout; /* ms for each step; 0 for 30000, which is as long as a silent command may keep a
			   * node tracing */
	const atomic_bool *stop;     /* connecting and attaching end when this is set; or NULL */
	const struct tunnel *tunnel; /* for nodes whose distribution runs over TLS; otherwise NULL */
};

/*
 * A file of the application that a program carries inside, by its name below the application's folder; libraries for
 * the VM are packed by gzip. The list ends with one without a name. The command has it (src/cli/carried.c). In a
 * program that only links the library it is NULL.
 */
struct node_part {
	const char *name, *from, *to;
};
extern const struct node_part node_carried[] __attribute__((weak));

struct nodelink;

/* How many snapshots have come from a node. If nodes merge for each other (cluster.h), a snapshot may come through
 * another one, in another thread: then there is a lock. */
struct node_taken {
	pthread_mutex_t *lock; /* or NULL */
	uint64_t snaps;        /* the number of the last one */
	bool closed;           /* the node is lost, and what was left of it was read from its memory */
};

/* Another way to the agent than the distribution: how a request gets there, and how the next message, {Ref, Reply},
 * comes back. They return false if the way is gone. */
struct node_way {
	bool (*send)(struct nodelink *n, unsigned long ref, const ei_x_buff *request);
	bool (*receive)(struct nodelink *n, ei_x_buff *x, int *index);
};

struct nodelink {
	const struct node_way *way; /* NULL for the distribution */
	void *way_arg;
	ei_cnode ec;
	int fd;
	struct node_sock sock; /* what ei has instead of fd */
	int slot;              /* reserves our name against other commands of this machine; -1 if none */
	char name[512], host[256];
	bool is_local; /* on this machine, with the same files */
	unsigned timeout;
	erlang_pid agent;
	bool attached, refused; /* refused: trying again is useless */
	char dir[4096];         /* of node_conf */
	unsigned long refs;
	char otp[4096]; /* folder of the application; "" for what the program carries */
	int64_t os_pid; /* as we see it, for the node of a process; otherwise as the node says */
	/* Functions of stacks, by number; NULL if not asked for yet. */
	char **symbols;
	unsigned long nsymbols;
	char frame[1300]; /* the last result of node_symbol */
	struct node_taken taken;
};

/* Starts the way to nodes whose distribution runs over TLS: see tunnel.h. options: what their command lines say of it.
 * Returns NULL on failure. */
struct tunnel *node_tunnel(const char *options, const atomic_bool *stop, struct why *why);
/* Returns NULL on failure; `why` says what to do. */
struct nodelink *node_connect(const struct node_conf *c, struct why *why);
bool node_attach(struct nodelink *n, struct why *why);
/* Asks the node what it calls itself, which need not be the name that led there. Before node_attach(). */
void node_ask_name(struct nodelink *n);
/* Returns whether attaching should end. */
bool node_stopped(const struct nodelink *n);
/* Makes a link to an existing agent over another way; fd is closed with the link. Returns NULL if memory ran out. */
struct nodelink *node_over(const struct node_way *way, void *arg, int fd, const char *name, int64_t os_pid);
/* Ends the agent cleanly. If that is not possible, the node cleans up by itself. */
void node_close(struct nodelink *n);

/* rpc: the result, decoded from index 0 of *result. args is an encoded list without version byte. */
bool node_rpc(struct nodelink *n, const char *module, const char *function, const ei_x_buff *args, ei_x_buff *result,
    struct why *why);
/* Called once the agent runs: from then on requests fail at once when it ends. */
bool node_watch(struct nodelink *n, struct why *why);
/* Sends a request to the agent: an encoded term without version byte. reply->index is at the reply term. For {error,
 * Text} it returns false with that text. */
bool node_request(struct nodelink *n, const ei_x_buff *request, ei_x_buff *reply, int *index, struct why *why);
/* A request that is one atom. */
bool node_command(struct nodelink *n, const char *atom, ei_x_buff *reply, int *index, struct why *why);

/* Calls fn with module and function/arity of each function that matches two globs. Returns false if it could not
 * ask. */
bool node_functions(struct nodelink *n, const char *module, const char *function,
    bool (*fn)(void *arg, const char *module, const char *function), void *arg, struct why *why);

/* Calls fn with the names of a node and of all that it is connected to, with or without hidden ones, until fn returns
 * false. Commands of erltrace are left out. Returns false if it could not ask. */
bool node_peers(
    const struct node_conf *c, bool hidden, bool (*fn)(void *arg, const char *name), void *arg, struct why *why);

/* The same for the agent's own node, which notes from then on when that changes: eng_status.nodes. */
bool node_nodes(struct nodelink *n, bool hidden, bool (*fn)(void *arg, const char *name), void *arg, struct why *why);

/* Calls fn for each process of the list that has a name, with its index in the list and the name. */
void node_names(struct nodelink *n, const char *const *pids, unsigned npids,
    void (*fn)(void *arg, unsigned i, const char *name), void *arg);

/* Writes the pid of the process that is registered under a name; a pid stands for itself. Returns false with the reason
 * if there is no such process, or if it could not ask. */
bool node_find_process(struct nodelink *n, const char *name, char *pid, size_t size, struct why *why);

/* Returns the function that a frame of an Erlang stack stands for, with ":line" if that is known, or NULL. It lives
 * until the next call. */
const char *node_symbol(struct nodelink *n, uint64_t addr);

/* The engine inside the node: eng_conf.link is the struct node. */
extern const struct engine_ops engine_node;

/* If it forwards its events (eng_conf.forward): Places of protocol.h. Returns false if they are not known. */
struct node_places {
	uint64_t site, key, threads, name, socket;
};
bool node_places(const struct engine *e, struct node_places *p);
/* From now on its snapshots come by node_ask_engine() with {merge, …}; `drain` and `snap` do not ask for them. */
void node_merges(struct engine *e);
/* Whether `snap` asks the node. If not, it hands out what has come with the records: then the node is asked only as
 * often as is good for its own tables. */
void node_wants_snap(struct engine *e, bool wants);
/* As node_request(). A connection that ends is noted in the status. */
bool node_ask_engine(struct engine *e, const ei_x_buff *request, ei_x_buff *reply, int *index, struct why *why);
/* Once it is started: what the node calls a probe that was bound. */
uint32_t node_number(const struct engine *e, unsigned probe);

#endif

/*
 * The page: `erltrace serve`, an HTTP and websocket server that runs D scripts and shows live what they gather.
 * docs/protocol.md says what goes over the wire.
 *
 *   main.c     options and the life of the command
 *   late.c     libwebsockets, loaded when the page starts
 *   server.c   libwebsockets: connections, timers, whom to write to
 *   http.c     who may come in; the page's files
 *   login.c  browsers that were let in: token, cookie, key
 *   client.c   one page: its messages and what it is owed
 *   plain.c    the plain protocol: a script in, numbers out
 *   run.c      one running script: its thread, frames, log
 *   leg.c      the same on one node: a handle and its thread
 *   sheet.c    what a handle has aggregated at one moment; several merged
 *   frame.c    sheets as JSON; plain_frame.c: for the plain protocol
 *   desk.c     compiling without running, listing probes, asking nodes: threads of its own
 *   budget.c   memory that scripts and the server may use
 *   shelf.c    the ready scripts
 *   assets.c   the built page
 *   text.c     text in JSON
 *
 * Threads: everything of a server and its clients belongs to the service thread. Runs and the desk have their own
 * threads and share only what their headers say.
 */
#ifndef ET_WEB_WEB_H
#define ET_WEB_WEB_H

#include "base/sbuf.h"
#include "base/why.h"
#include "web/late.h"
#include "web/run.h"

#include <libwebsockets.h>

#include <stdbool.h>
#include <stdint.h>

enum {
	WEB_HEADERS = 8192, /* bytes of a request's headers */
	WEB_RUNS = 16,      /* scripts at once, unless an option says otherwise; the most is WEB_RUNS_MOST */
	WEB_RUNS_MOST = 64,
	WEB_CLIENTS = 64,    /* websockets at once */
	WEB_STRANGERS = 512, /* connections that have not yet said what they want; one more drops the oldest */
	WEB_TOKENS = 8,      /* valid URLs at once; a new one invalidates the oldest */
	WEB_LOGINS = 64,     /* browsers that were let in */
	WEB_NODES = 16,
	WEB_HOSTS = 16,
	WEB_MESSAGE = 256 << 10, /* bytes of a message from a page */
	WEB_FIRST_MESSAGE = 256, /* the same before it has proved who it is */
	WEB_SCRIPT = 128 << 10,  /* bytes of a script, whichever way it comes in */
	WEB_PIECE = 64 << 10,    /* bytes given to libwebsockets at once */
	WEB_OUTBOX = 4 << 20,    /* bytes of answers that a page has not read */
	WEB_UNACKED = 2,         /* data messages that a page has not acknowledged */
	WEB_PING_MS = 400,       /* how often a page is pinged */
	WEB_SILENT_MS = 1500,    /* a page silent for this long counts as gone */
	WEB_ENTER_MS = 5000,     /* how long a websocket may stay without its first message */
	WEB_START_MS = 60000,    /* how long a script may take to start */
	WEB_END_MS = 1500,       /* after a signal to end: anything still running is left to the system */
	WEB_LOGIN_MOST_MS = 7 * 24 * 3600 * 1000,
	WEB_TOKEN = 32, /* characters */
};

struct web_conf {
	const char *listen; /* address */
	int port;           /* 0 for any free port */
	const char *nodes[WEB_NODES];
	unsigned nnodes;
	char *cookie;        /* of the nodes; NULL for ~/.erlang.cookie */
	const char *scripts; /* folder, or NULL */
	const char *hosts[WEB_HOSTS];
	unsigned nhosts;
	const char *cert, *key; /* TLS, or NULL */
	bool insecure, destructive, with_stdin;
	bool kernel; /* scripts may see the kernel and other processes, not only the nodes */
	unsigned max_runs, max_clients;
	unsigned deadline;               /* ms for compiling and for lists */
	unsigned token_life, login_life; /* s; a login's life counts from its last use */
	size_t memory;                   /* bytes for all scripts */
};

/* A script on the shelf. */
struct ready_script {
	char *name, *about, *text;
	const char *view;
	bool needs_node, needs_kernel;
};
struct shelf {
	struct ready_script *at;
	unsigned n;
};
/* Returns false if memory ran out. An unreadable folder counts as empty, and *unread is set to errno. */
bool shelf_fill(struct shelf *s, const char *folder, int *unread);
void shelf_free(struct shelf *s);
void shelf_json(const struct shelf *s, struct sbuf *b);

struct desk;
struct server;

/* What a page watches. */
struct watch {
	unsigned run;    /* its id; 0 if this place is free */
	uint64_t seq;    /* of the last frame that was sent */
	uint64_t past;   /* as run_frame() takes it */
	uint64_t logged; /* the next line of the log */
};

struct note {
	struct note *next;
	size_t len, charged;
	unsigned char *at; /* LWS_PRE bytes of room, then the text */
};

/* A connection. Those that have not become a page are in the server's list, with the one that was silent longest
 * first. If there are too many, that one is dropped. */
struct visitor {
	struct visitor *next, **back; /* back is NULL if it is not in the list */
	struct lws *wsi;
	uint64_t login; /* the login of its cookie or token; 0 if none */
	bool by_token;  /* it came with a token, which is used up */
};

/* Lets one browser in, for some time. More are made only on request. */
struct login_token {
	char text[WEB_TOKEN + 1]; /* "" if it is used up */
	uint64_t until;           /* ms */
};

struct login {
	uint64_t id; /* 0 if this place is free */
	char cookie[WEB_TOKEN + 1], key[WEB_TOKEN + 1];
	uint64_t made, used; /* ms */
};

enum client_mode { CLIENT_PAGE, CLIENT_HEATMAP, CLIENT_LIST };

struct client {
	struct client *next;
	struct server *s;
	struct lws *wsi;
	uint64_t id;
	enum client_mode mode;
	uint64_t login;
	bool entered;                   /* it has proved that it is the login's page */
	uint64_t opened, heard, pinged; /* ms */
	bool want_ping, closing;
	bool leaving;   /* it was refused, and ends when it has been told why */
	struct sbuf in; /* a message that is not complete yet */
	struct note *outbox, **outlast;
	size_t outbytes;
	/* what is being written, in pieces: a frame, or a note */
	struct frame *frame;
	struct note *note;
	size_t written;
	unsigned unacked;
	struct watch watches[WEB_RUNS_MOST];
	unsigned turn; /* which watch is served next */
};

struct server {
	struct web_conf conf;
	struct lws_context *ctx;
	struct lws_vhost *vhost;
	lws_sorted_usec_list_t sul;
	uint64_t ticked; /* ms: time of the last tick */
	struct client *clients;
	unsigned nclients; /* clients that have entered */
	uint64_t ids;
	struct run *runs[WEB_RUNS_MOST];
	unsigned run_ids;
	struct desk *desk;
	struct shelf shelf;
	struct memory_budget *budget, *aggs; /* for all scripts, and the part for what they aggregate */
	int port;
	struct login_token tokens[WEB_TOKENS], *newest;
	unsigned token_turn;
	struct login logins[WEB_LOGINS];
	uint64_t login_ids;
	struct visitor *strangers, **last_stranger;
	unsigned nstrangers;
	uint64_t cpu_ns, cpu_at; /* CPU time of the process, and when it was read */
	double cpu;              /* CPUs in use */
	bool over;
};

/* -- server.c */
uint64_t web_now(void); /* ms, monotonic */
bool server_open(struct server *s, struct why *why);
/* Serves until `*stop`. `*want_url` asks for another URL to be printed. */
void server_serve(struct server *s, const volatile int *stop, volatile int *want_url);
void server_close(struct server *s);
struct run *server_run(struct server *s, unsigned id); /* NULL if there is none */
/* Starts a run that nobody watches yet. Returns NULL with *why, a constant. */
struct run *server_start(struct server *s, const struct run_conf *c, const char **why);
/* Ends runs that nobody watches. */
void server_sweep(struct server *s);
/* Tells every page which scripts run. */
void server_tell_runs(struct server *s);
/* Returns false if there is no randomness. */
bool server_new_secret(char *to);

/* The client has proved who it is and now counts as a page. */
void server_entered(struct client *c);

/* -- login.c. Lifetimes are counted in ms since the machine was started. */
bool token_new(struct server *s);
/* Returns whether it is a valid token, and uses it up. */
bool token_spend(struct server *s, const char *given);
/* Returns NULL if all are in use or there is no randomness. */
struct login *login_new(struct server *s);
struct login *login_by_cookie(struct server *s, const char *cookie); /* NULL if there is none or it is over */
bool login_enter(struct server *s, uint64_t id, const char *key);
/* Also closes its pages. */
void login_end(struct server *s, uint64_t id);
void login_tick(struct server *s);

/* -- http.c */
/* Returns whether this request may become a websocket. v gets its login. */
bool http_may_upgrade(struct server *s, struct lws *wsi, struct visitor *v);
int http_request(struct server *s, struct lws *wsi, const char *path);

/* -- client.c */
/* The client is let in: tells it what it should know first. */
void client_begin(struct client *c);
void client_end(struct client *c);
bool client_receive(struct client *c, const char *bytes, size_t n, bool last);
/* Puts an answer into the outbox. Takes ownership of the buffer's text, which begins with LWS_PRE bytes. */
void client_say(struct client *c, struct sbuf *b);
void client_begin_text(struct sbuf *b);
/* Writes one message if one is owed. Returns false if the connection must end. */
bool client_write(struct client *c);
bool client_watches(const struct client *c, unsigned run);
/* past is as in run_frame(). */
void client_watch(struct client *c, unsigned run, uint64_t past);
void client_unwatch(struct client *c, unsigned run);
void client_tell_runs(struct client *c);

/* -- plain.c */
bool plain_message(struct client *c, const char *text, size_t n);

/* -- desk.c */
enum desk_kind { DESK_CHECK, DESK_PROBES, DESK_NODES };
struct desk_answer {
	struct desk_answer *next;
	uint64_t client;
	struct sbuf text; /* as client_say() wants it */
};
struct desk *desk_open(const struct web_conf *conf, void (*wake)(void *), void *arg);
void desk_close(struct desk *d);
/* Asks a question; the answer carries req. text is the script or the description. node is "" or NULL for none.
 * Returns false if the desk is full or memory ran out. */
bool desk_ask(struct desk *d, enum desk_kind kind, uint64_t client, long long req, const char *text, const char *node);
/* Called when the page is gone: its questions are given up. */
void desk_forget(struct desk *d, uint64_t client);
/* Called now and then: gives up what takes too long. Returns whether there are answers. */
bool desk_tick(struct desk *d);
struct desk_answer *desk_take(struct desk *d); /* all, oldest first; the caller frees them */

/* -- text.c: a JSON string, quotes included, valid UTF-8 whatever the bytes are. */
void web_text(struct sbuf *b, const char *text, size_t n);
/* et_attach(), tried several times until *stop. */
int web_attach(struct et *h, const char *node, const char *cookie, const atomic_bool *stop);
/* The message for scripts that ask for the kernel where that is not allowed. */
extern const char web_no_kernel[];

/* -- assets.c */
struct asset {
	const char *path, *type;
	const unsigned char *at, *end; /* gzip */
};
const struct asset *asset_find(const char *path); /* NULL if there is none */

#endif

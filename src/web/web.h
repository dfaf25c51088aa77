/*
 * The page: `erltrace serve`, an HTTP and websocket server that runs D scripts
 * and shows what they gather every moment. docs/protocol.md is what goes over the wire.
 *
 *   main.c     options and the life of the command
 *   late.c     libwebsockets, loaded when the page starts
 *   server.c   libwebsockets: connections, timers, whom to write to
 *   http.c     who may come in; the page's files
 *   session.c  browsers that were let in: token, cookie, key
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
 * Threads: everything of a server and its clients belongs to the service thread. Runs and the
 * desk have threads of their own and share only what their headers say.
 */
#ifndef ET_WEB_WEB_H
#define ET_WEB_WEB_H

#include "base/sbuf.h"
#include "base/why.h"
#include "web/run.h"

#include <libwebsockets.h>

#include <stdbool.h>
#include <stdint.h>

enum {
	WEB_HEADERS = 8192, /* bytes of a request's headers */
	WEB_RUNS = 16,      /* scripts at once, unless an option says otherwise; the most is WEB_RUNS_MOST */
	WEB_RUNS_MOST = 64,
	WEB_CLIENTS = 64,    /* websockets at once */
	WEB_STRANGERS = 512, /* connections that have not said yet what they want; one more drops the oldest */
	WEB_TOKENS = 8,      /* URLs that are good at once; another one makes the oldest bad */
	WEB_SESSIONS = 64,   /* browsers that were let in */
	WEB_NODES = 16,
	WEB_HOSTS = 16,
	WEB_MESSAGE = 256 << 10, /* bytes of a message from a page */
	WEB_FIRST_MESSAGE = 256, /* the same before it has proved who it is */
	WEB_SCRIPT = 128 << 10,  /* bytes of a script, whichever way it comes in */
	WEB_PIECE = 64 << 10,    /* bytes that are given to libwebsockets at once */
	WEB_OUTBOX = 4 << 20,    /* bytes of answers that a page has not read */
	WEB_UNACKED = 2,         /* data messages on their way to a page */
	WEB_PING_MS = 400,       /* how often a page is asked whether it is there */
	WEB_SILENT_MS = 1500,    /* after this long it is not */
	WEB_ENTER_MS = 5000,     /* how long a websocket may stay without its first message */
	WEB_START_MS = 60000,    /* how long a script may take to start */
	WEB_END_MS = 1500,       /* after a signal to end: what has not ended by then is left to the system */
	WEB_SESSION_MOST_MS = 7 * 24 * 3600 * 1000,
	WEB_TOKEN = 32, /* characters */
};

struct web_conf {
	const char *listen; /* address */
	int port;           /* 0: any that is free */
	const char *nodes[WEB_NODES];
	unsigned nnodes;
	char *cookie;        /* of the nodes; NULL: ~/.erlang.cookie */
	const char *scripts; /* folder, or NULL */
	const char *hosts[WEB_HOSTS];
	unsigned nhosts;
	const char *cert, *key; /* TLS, or NULL */
	bool insecure, destructive, with_stdin;
	bool kernel; /* scripts may see the kernel and other processes, not only the nodes */
	unsigned max_runs, max_clients;
	unsigned deadline;                 /* ms for compiling and for lists */
	unsigned token_life, session_life; /* s; a session's since it was used last */
	size_t memory;                     /* bytes for all scripts */
};

/* A script on the shelf. */
struct script {
	char *name, *about, *text;
	const char *view;
	bool needs_node, needs_kernel;
};
struct shelf {
	struct script *at;
	unsigned n;
};
/* False: out of memory. A folder that cannot be read is an empty one and *unread is set to errno. */
bool shelf_fill(struct shelf *s, const char *folder, int *unread);
void shelf_free(struct shelf *s);
void shelf_json(const struct shelf *s, struct sbuf *b);

struct desk;
struct server;

/* What a page watches. */
struct watch {
	unsigned run;    /* its id; 0: this place is free */
	uint64_t seq;    /* of the last frame that was sent */
	uint64_t past;   /* as run_frame() takes it */
	uint64_t logged; /* the next line of the log */
};

struct note {
	struct note *next;
	size_t len, charged;
	unsigned char *at; /* LWS_PRE bytes of room, then the text */
};

/* A connection. Those that have not become a page are in the server's list, the one that said nothing for longest
 * first: where there are too many, it goes. */
struct visitor {
	struct visitor *next, **back; /* back NULL: not in the list */
	struct lws *wsi;
	uint64_t session; /* that its cookie or token stands for; 0: none */
	bool by_token;    /* which has been spent */
};

/* Lets one browser in, for some time; more are there only when they are asked for. */
struct token {
	char text[WEB_TOKEN + 1]; /* "": it was spent */
	uint64_t until;           /* ms */
};

struct session {
	uint64_t id; /* 0: this place is free */
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
	uint64_t session;
	bool entered;                   /* it has proved that it is the session's page */
	uint64_t opened, heard, pinged; /* ms */
	bool want_ping, closing;
	bool leaving;   /* it was refused: it ends when it has heard why */
	struct sbuf in; /* a message that has not ended */
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
	uint64_t ticked; /* ms: when it last came */
	struct client *clients;
	unsigned nclients; /* that have entered */
	uint64_t ids;
	struct run *runs[WEB_RUNS_MOST];
	unsigned run_ids;
	struct desk *desk;
	struct shelf shelf;
	struct budget *budget, *aggs; /* of all scripts, and for what they aggregate */
	int port;
	struct token tokens[WEB_TOKENS], *newest;
	unsigned token_turn;
	struct session sessions[WEB_SESSIONS];
	uint64_t session_ids;
	struct visitor *strangers, **last_stranger;
	unsigned nstrangers;
	uint64_t cpu_ns, cpu_at; /* of the process, when it was looked at last */
	double cpu;              /* CPUs in use */
	bool over;
};

/* -- server.c */
uint64_t web_now(void); /* ms, monotonic */
/* libwebsockets, once; before anything of it is called. */
bool late_load(struct why *why);
bool server_open(struct server *s, struct why *why);
/* Until `*stop`. `*want_url`: another URL is to be printed. */
void server_serve(struct server *s, const volatile int *stop, volatile int *want_url);
void server_close(struct server *s);
/* May be called from any thread. */
void server_wake(void *server);
struct run *server_run(struct server *s, unsigned id); /* NULL: no such one */
/* Starts one that nobody watches yet; NULL: *why, which is constant. */
struct run *server_start(struct server *s, const struct run_conf *c, const char **why);
/* Ends what nobody watches. */
void server_sweep(struct server *s);
/* Tells every page which scripts run. */
void server_tell_runs(struct server *s);
/* False: there is no randomness to be had. */
bool server_new_secret(char *to);
/* A new token; the URL with it goes to standard output. False: as above. */
bool server_new_url(struct server *s);

/* It has proved who it is: from now on it is one of the pages. */
void server_entered(struct client *c);

/* -- session.c. Lives are counted in ms since the machine was started. */
bool secret_is(const char *secret, const char *given);
bool token_new(struct server *s);
/* Whether it is the token and still good; it is no more then. */
bool token_spend(struct server *s, const char *given);
/* NULL: all are in use, or there is no randomness. */
struct session *session_new(struct server *s);
struct session *session_by_cookie(struct server *s, const char *cookie); /* NULL: no such one, or it is over */
bool session_enter(struct server *s, uint64_t id, const char *key);
/* Its pages are closed. */
void session_end(struct server *s, uint64_t id);
void session_tick(struct server *s);

/* -- http.c */
/* Whether this request may become a websocket; v gets whose. */
bool http_may_upgrade(struct server *s, struct lws *wsi, struct visitor *v);
int http_request(struct server *s, struct lws *wsi, const char *path);

/* -- client.c */
/* It is let in: what it should know first. */
void client_begin(struct client *c);
void client_end(struct client *c);
bool client_receive(struct client *c, const char *bytes, size_t n, bool last);
/* Puts an answer into the outbox; takes the buffer's text, which begins with LWS_PRE bytes. */
void client_say(struct client *c, struct sbuf *b);
void client_begin_text(struct sbuf *b);
/* Writes one thing, if one is owed; false: the connection must end. */
bool client_write(struct client *c);
bool client_watches(const struct client *c, unsigned run);
/* past: as run_frame() takes it. */
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
/* req is what the answer is marked with. text: the script or the description; node "" or NULL: none. False: the desk is
 * full, or out of memory. */
bool desk_ask(struct desk *d, enum desk_kind kind, uint64_t client, long long req, const char *text, const char *node);
/* The page is gone: what it has asked is given up. */
void desk_forget(struct desk *d, uint64_t client);
/* Now and then: gives up what takes too long. Whether there are answers. */
bool desk_tick(struct desk *d);
struct desk_answer *desk_take(struct desk *d); /* all, oldest first; the caller's */

/* -- text.c. A JSON string, quotes included, valid UTF-8 whatever the bytes are. */
void web_text(struct sbuf *b, const char *text, size_t n);
/* et_attach(), tried several times, until *stop. */
int web_attach(struct et *h, const char *node, const char *cookie, const atomic_bool *stop);
/* What scripts are told that ask for the kernel where they may not. */
extern const char web_no_kernel[];

/* -- assets.c */
struct asset {
	const char *path, *type;
	const unsigned char *at, *end; /* gzip */
};
const struct asset *asset_find(const char *path); /* NULL: no such one */

#endif

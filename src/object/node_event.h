/*
 * What an Erlang VM that is traced shows to programs in the kernel, in its own memory: events of a script, and which
 * process runs on a thread. The library in the VM writes it (otp/erltrace/c_src/sites.h), programs of the kernel engine
 * read it. It is included by BPF code too, so it has only fixed-size types.
 */
#ifndef ET_OBJECT_NODE_EVENT_H
#define ET_OBJECT_NODE_EVENT_H

#include <stdint.h>

/* An event, whose address is the site's argument. */
enum { NODE_EVENT_ARGS = 10 };
struct node_event {
	uint64_t key;     /* of the script, so that nobody takes another's events for his own */
	uint64_t probe;   /* its number in the node plus one, or NODE_FORGET */
	uint64_t process; /* a word that means this process; 0 if the event has none */
	uint64_t eproc;   /* address of its text; 0 if the event has none */
	uint64_t mfa;     /* … and of the function that the event is about, or emfa's; 0 if unknown */
	uint64_t args[NODE_EVENT_ARGS];
};
enum { NODE_FORGET = 0 }; /* the process has ended */

/* A thread of the VM, in a table by a hash of the thread's address. The last bytes belong to the library. */
enum { NODE_THREADS_BITS = 11, NODE_THREADS = 1 << NODE_THREADS_BITS, NODE_THREAD_SIZE = 64, NODE_EPROC = 24 };
struct node_thread {
	uint64_t self;          /* the thread's address, as in its segment register; 0 if the row is free */
	uint64_t process;       /* the process that runs there; 0 if none is known */
	uint64_t mfa;           /* address of the text of the function with which it was scheduled in; 0 if unknown */
	char eproc[NODE_EPROC]; /* its text: a local pid is never longer */
};
/* The same table once more, in a map of the script's that the library has mapped, if that was possible: its programs
 * read it at no cost. A row there is valid from the first switch on; a thread whose row is not has only the first
 * table. */
enum { NODE_SEEN_SIZE = NODE_THREADS * NODE_THREAD_SIZE };
#define NODE_THREAD_PLACE(self) ((self)*0x9e3779b97f4a7c15ull >> (64 - NODE_THREADS_BITS))

/* How self-> knows a process: apart from the numbers of threads. */
#define NODE_OWNER(process) ((process) | 1ull << 62)

#endif

/*
 * The erlang provider: every probe in one table, for the command (which lists them and knows their types), for the
 * tracer inside the VM (which fires them) and for the agent there (which switches on what they need; it asks the
 * tracer). A probe is a row here, and a call where its event is made.
 *
 * X(id, name, aliases, types, arguments, needs…)
 *   name       as OTP's own provider has it, with dashes for double underscores
 *   aliases    other spellings in published scripts, separated by blanks
 *   types      of the arguments: D types, separated by commas
 *   arguments  what they are called, as OTP's own erlang_dtrace.d calls them
 *   needs      fields of struct erl_needs; at least the source
 *
 * The probes user_trace-n0 … user_trace-n950 are not rows: they have the arguments of
 * user_trace-i4s4. Function probes by name (erlang*:lists:map/2:entry) are
 * made on demand: entry has the function's arguments as terms, return its value,
 * exception class and reason.
 */
#ifndef ET_PROVIDER_ERLANG_PROBES_H
#define ET_PROVIDER_ERLANG_PROBES_H

#include <stdbool.h>

/* What the tracer must switch on for a probe. */
enum erl_source {
	ES_SEND,     /* trace flag send */
	ES_RECEIVE,  /* receive */
	ES_CALL,     /* call, and patterns on functions */
	ES_RETURN,   /* call and return_to, and patterns on functions */
	ES_PROCS,    /* procs */
	ES_RUNNING,  /* running_procs */
	ES_GC,       /* garbage_collection */
	ES_PORTS,    /* ports */
	ES_PORTRECV, /* receive of ports */
	ES_SYSMON,   /* erlang:system_monitor/2 */
	ES_DIST,     /* net_kernel:monitor_nodes/2 */
	ES_CODE,     /* calls of the code server's primitives */
	ES_USER,     /* the application calls erltrace:p and the like */
	ES_SEQ,      /* seq_trace */
	ES_REQUEST,  /* what the probe's atoms say: sends, receives and calls that requests to servers are made of */
	ES_ALL,      /* every tag that any other probe of the script switches on */
	ES_KERNEL,   /* not through the tracer: needs the kernel engine */
	ES_NONE,     /* nothing by itself: only what else the probe wants */
	ES_NEVER,    /* declared by OTP, never fired, or gone: matches nothing */
};

#define WANT(source) (1u << (source))

/* What else the tracer must attend to: bits beside those of the sources, WANT(source). */
enum erl_want {
	WANT_WHERE = 1 << 18,   /* emfa: with which function a process was scheduled in. Only together with WANT_SLOT */
	WANT_SLOT = 1 << 19,    /* which process runs on a thread, for programs in the kernel and for emfa */
	WANT_LOADS = 1 << 20,   /* code that is about to be loaded, and that was */
	WANT_READ = 1 << 21,    /* stacks of the running processes */
	WANT_SAMPLE = 1 << 22,  /* profile-N: strikes since the process runs */
	WANT_CALLERS = 1 << 23, /* of all traced functions: for stacks and their depth */
	WANT_SHADOW = 1 << 24,  /* function-return and the like: keep shadow stacks */
	WANT_RUN = 1 << 25,     /* vtimestamp: follow in and out */
	WANT_EXIT = 1 << 26,    /* self-> variables or shadow stacks: forget processes that end */
	WANT_TOKEN = 1 << 27,   /* node and sequential-trace token of messages sent */
	WANT_SIGNAL = 1 << 28,  /* exit signals: calls of exit/2, links that break */
	WANT_SLEEP = 1 << 29,   /* calls of erlang:hibernate/3 */
	WANT_UNBLOCK = 1 << 30, /* processes that waited for a busy port and run again */
};
_Static_assert((int)ES_NONE < 18, "the bits of the sources are below the others; a probe of ES_NEVER has none");
#define WANT_ARGS (1u << 31) /* arguments of calls, not only their number */
/* Calls that have probes of their own: otp/erltrace/c_src/special.h. */
#define WANT_SPECIAL (WANT_SIGNAL | WANT_SLEEP | WANT_LOADS | WANT(ES_CODE) | WANT(ES_USER) | WANT(ES_REQUEST))
#define WANT_DEPTH (WANT_CALLERS | WANT_SHADOW | WANT_EXIT)

/* Functions that a probe is about, whichever they are: the agent sets patterns on them. */
enum erl_functions { EF_NONE, EF_ALL, EF_BIFS, EF_NIFS };

/* What must be switched on for a probe. */
struct erl_needs {
	enum erl_source source;
	bool self; /* its first argument is the process that the event happens to, and its trace flags are enough */
	enum erl_functions functions;
	bool caller;       /* the patterns ask for the caller: to tell local calls from others, or to follow returns */
	unsigned wants;    /* WANT_…, … */
	unsigned looks;    /* … only if a clause looks at one of these arguments, one bit each; 0 for always */
	const char *atoms; /* what else the agent gets to know, separated by blanks, or NULL: trace flags, events of the
			    * system monitor and of erltrace_gauges, requests */
};

#define ERL_TOK ",int,int,int"
#define ERL_PPN "char *,char *,char *"
#define ERL_TOK_NAMES ",token_label,token_previous,token_current"
#define ERL_PPN_NAMES "process,port,port_name"
#define ERL_I4S4_NAMES "process,user_tag,i1,i2,i3,i4,s1,s2,s3,s4"
#define ERL_I4S4 "char *,char *,int64_t,int64_t,int64_t,int64_t,char *,char *,char *,char *"

#define ERL_PROBES(X) \
	X(MESSAGE_SEND, "message-send", "", "char *,char *,uint32_t" ERL_TOK ",term", \
	    "sender,receiver,size" ERL_TOK_NAMES ",message", .source = ES_SEND, .self = true, .wants = WANT_TOKEN, \
	    .looks = 7 << 3) \
	X(MESSAGE_SEND_REMOTE, "message-send-remote", "message-send_remote", \
	    "char *,char *,char *,uint32_t" ERL_TOK ",term", \
	    "sender,node_name,receiver,size" ERL_TOK_NAMES ",message", .source = ES_SEND, .self = true, \
	    .wants = WANT_TOKEN) \
	X(MESSAGE_QUEUED, "message-queued", "", "char *,uint32_t,uint32_t" ERL_TOK ",term", \
	    "receiver,size,queue_length" ERL_TOK_NAMES ",message", .source = ES_RECEIVE, .self = true) \
	X(MESSAGE_RECEIVE, "message-receive", "", "char *,uint32_t,uint32_t" ERL_TOK, \
	    "receiver,size,queue_length" ERL_TOK_NAMES, .source = ES_KERNEL) \
	X(COPY_STRUCT, "copy-struct", "", "uint32_t", "size", .source = ES_KERNEL) \
	X(COPY_OBJECT, "copy-object", "", "char *,uint32_t", "process,size", .source = ES_KERNEL) \
	X(LOCAL_FUNCTION_ENTRY, "local-function-entry", "local-function_entry", "char *,char *,int", \
	    "process,mfa,depth", .source = ES_CALL, .self = true, .functions = EF_ALL, .caller = true, \
	    .wants = WANT_DEPTH, .looks = 1 << 2) \
	X(GLOBAL_FUNCTION_ENTRY, "global-function-entry", "global-function_entry", "char *,char *,int", \
	    "process,mfa,depth", .source = ES_CALL, .self = true, .functions = EF_ALL, .caller = true, \
	    .wants = WANT_DEPTH, .looks = 1 << 2) \
	X(FUNCTION_ENTRY, "function-entry", "function_entry", "char *,char *,int", "process,mfa,depth", \
	    .source = ES_CALL, .self = true, .functions = EF_ALL, .wants = WANT_DEPTH, .looks = 1 << 2) \
	X(FUNCTION_RETURN, "function-return", "function_return", "char *,char *,int", "process,mfa,depth", \
	    .source = ES_RETURN, .self = true, .functions = EF_ALL, .caller = true) \
	X(BIF_ENTRY, "bif-entry", "", "char *,char *", "process,mfa", .source = ES_CALL, .self = true, \
	    .functions = EF_BIFS) \
	X(BIF_RETURN, "bif-return", "", "char *,char *", "process,mfa", .source = ES_RETURN, .self = true, \
	    .functions = EF_BIFS, .caller = true) \
	X(NIF_ENTRY, "nif-entry", "", "char *,char *", "process,mfa", .source = ES_CALL, .self = true, \
	    .functions = EF_NIFS) \
	X(NIF_RETURN, "nif-return", "", "char *,char *", "process,mfa", .source = ES_RETURN, .self = true, \
	    .functions = EF_NIFS, .caller = true) \
	X(GC_MAJOR_START, "gc_major-start", "gc-major_start", "char *,int", "process,need", .source = ES_GC, \
	    .self = true) \
	X(GC_MINOR_START, "gc_minor-start", "gc-minor_start", "char *,int", "process,need", .source = ES_GC, \
	    .self = true) \
	X(GC_MAJOR_END, "gc_major-end", "gc-major_end", "char *,int", "process,reclaimed", .source = ES_GC, \
	    .self = true) \
	X(GC_MINOR_END, "gc_minor-end", "gc-minor_end", "char *,int", "process,reclaimed", .source = ES_GC, \
	    .self = true) \
	X(PROCESS_SPAWN, "process-spawn", "", "char *,char *", "process,mfa", .source = ES_PROCS) \
	X(PROCESS_EXIT, "process-exit", "", "char *,char *", "process,reason", .source = ES_PROCS, .self = true) \
	X(PROCESS_EXIT_SIGNAL, "process-exit_signal", "process-exit-signal", "char *,char *,char *", \
	    "sender,receiver,reason", .source = ES_NONE, .wants = WANT_SIGNAL) \
	X(PROCESS_EXIT_SIGNAL_REMOTE, "process-exit_signal-remote", "process-exit_signal_remote", \
	    "char *,char *,char *,char *" ERL_TOK, "sender,node_name,receiver,reason" ERL_TOK_NAMES, \
	    .source = ES_NONE, .wants = WANT_SIGNAL) \
	X(PROCESS_SCHEDULED, "process-scheduled", "", "char *,char *", "process,mfa", .source = ES_RUNNING, \
	    .self = true) \
	X(PROCESS_UNSCHEDULED, "process-unscheduled", "", "char *", "process", .source = ES_RUNNING, .self = true) \
	X(PROCESS_HIBERNATE, "process-hibernate", "", "char *,char *", "process,mfa", .source = ES_NONE, .self = true, \
	    .wants = WANT_SLEEP) \
	X(PROCESS_PORT_UNBLOCKED, "process-port_unblocked", "process-port-unblocked", "char *,char *", "process,port", \
	    .source = ES_SYSMON, .wants = WANT_UNBLOCK, .atoms = "busy_port") \
	X(PROCESS_HEAP_GROW, "process-heap_grow", "process-heap-grow", "char *,int,int", "process,old_size,new_size", \
	    .source = ES_GC, .self = true) \
	X(PROCESS_HEAP_SHRINK, "process-heap_shrink", "process-heap-shrink", "char *,int,int", \
	    "process,old_size,new_size", .source = ES_GC, .self = true) \
	X(PROCESS_REGISTER, "process-register", "", "char *,char *", "process,name", .source = ES_PROCS, .self = true) \
	X(PROCESS_UNREGISTER, "process-unregister", "", "char *,char *", "process,name", .source = ES_PROCS, \
	    .self = true) \
	X(PROCESS_LINK, "process-link", "", "char *,char *", "process,other", .source = ES_PROCS, .self = true) \
	X(PROCESS_UNLINK, "process-unlink", "", "char *,char *", "process,other", .source = ES_PROCS, .self = true) \
	X(REQUEST_SEND, "request-send", "", "char *,char *,char *,char *,term", "process,server,ref,request,term", \
	    .source = ES_REQUEST, .self = true, .atoms = "send request_sends") \
	X(REQUEST_START, "request-start", "", "char *,char *,char *,char *,term", "process,client,ref,request,term", \
	    .source = ES_REQUEST, .self = true, .atoms = "call request_starts") \
	X(REQUEST_STOP, "request-stop", "", "char *", "process", .source = ES_REQUEST, .self = true, \
	    .atoms = "call request_starts") \
	X(REQUEST_REPLY, "request-reply", "", "char *,char *,char *,char *,term", "process,client,ref,reply,term", \
	    .source = ES_REQUEST, .self = true, .atoms = "send request_sends") \
	X(REQUEST_DONE, "request-done", "", "char *,char *,char *,term", "process,ref,reply,term", \
	    .source = ES_REQUEST, .self = true, .atoms = "receive request_replies") \
	X(MAILBOX_100MS, "mailbox-100ms", "", "char *,int64_t,int64_t", "process,length,growth", .source = ES_NONE, \
	    .atoms = "mailbox_100ms") \
	X(MAILBOX_1S, "mailbox-1s", "", "char *,int64_t,int64_t", "process,length,growth", .source = ES_NONE, \
	    .atoms = "mailbox_1s") \
	X(MAILBOX_10S, "mailbox-10s", "", "char *,int64_t,int64_t", "process,length,growth", .source = ES_NONE, \
	    .atoms = "mailbox_10s") \
	X(SCHEDULER_100MS, "scheduler-100ms", "", "int,char *,int64_t,int", "scheduler,kind,run_queue,busy", \
	    .source = ES_NONE, .atoms = "scheduler_100ms") \
	X(SCHEDULER_1S, "scheduler-1s", "", "int,char *,int64_t,int", "scheduler,kind,run_queue,busy", \
	    .source = ES_NONE, .atoms = "scheduler_1s") \
	X(SCHEDULER_10S, "scheduler-10s", "", "int,char *,int64_t,int", "scheduler,kind,run_queue,busy", \
	    .source = ES_NONE, .atoms = "scheduler_10s") \
	X(RUN_DELAY_100MS, "run_delay-100ms", "", "int,int64_t", "scheduler,nanoseconds", .source = ES_NONE, \
	    .atoms = "run_delay_100ms") \
	X(RUN_DELAY_1S, "run_delay-1s", "", "int,int64_t", "scheduler,nanoseconds", .source = ES_NONE, \
	    .atoms = "run_delay_1s") \
	X(RUN_DELAY_10S, "run_delay-10s", "", "int,int64_t", "scheduler,nanoseconds", .source = ES_NONE, \
	    .atoms = "run_delay_10s") \
	X(CARRIERS_1S, "carriers-1s", "", "char *,int64_t,int64_t,int64_t,int64_t", \
	    "allocator,carriers,blocks,single,pool", .source = ES_NONE, .atoms = "carriers_1s") \
	X(CARRIERS_10S, "carriers-10s", "", "char *,int64_t,int64_t,int64_t,int64_t", \
	    "allocator,carriers,blocks,single,pool", .source = ES_NONE, .atoms = "carriers_10s") \
	X(LIMITS_1S, "limits-1s", "", "char *,int64_t,int64_t,int64_t", "what,count,limit,growth", .source = ES_NONE, \
	    .atoms = "limits_1s") \
	X(LIMITS_10S, "limits-10s", "", "char *,int64_t,int64_t,int64_t", "what,count,limit,growth", \
	    .source = ES_NONE, .atoms = "limits_10s") \
	X(DIST_MONITOR, "dist-monitor", "", "char *,char *,char *,char *,char *", \
	    "node,what,monitored_node,type,reason", .source = ES_DIST) \
	X(DIST_PORT_BUSY, "dist-port_busy", "dist-port-busy", "char *,char *,char *,char *", \
	    "node,port,remote_node,process", .source = ES_SYSMON, .atoms = "busy_dist_port") \
	X(DIST_PORT_NOT_BUSY, "dist-port_not_busy", "", "char *,char *,char *", "node,port,remote_node", \
	    .source = ES_SYSMON, .wants = WANT_UNBLOCK, .atoms = "busy_dist_port") \
	X(DIST_OUTPUT, "dist-output", "", "char *,char *,char *,int", "node,port,remote_node,bytes", \
	    .source = ES_KERNEL) \
	X(DIST_OUTPUTV, "dist-outputv", "", "char *,char *,char *,int", "node,port,remote_node,bytes", \
	    .source = ES_KERNEL) \
	X(PORT_OPEN, "port-open", "", ERL_PPN, "process,port_name,port", .source = ES_PORTS) \
	X(PORT_COMMAND, "port-command", "", ERL_PPN ",char *", ERL_PPN_NAMES ",command_type", .source = ES_PORTRECV) \
	X(PORT_CONTROL, "port-control", "", ERL_PPN ",int", ERL_PPN_NAMES ",command", .source = ES_PORTRECV) \
	X(PORT_EXIT, "port-exit", "", ERL_PPN ",char *", ERL_PPN_NAMES ",reason", .source = ES_PORTS) \
	X(PORT_CONNECT, "port-connect", "", ERL_PPN ",char *", ERL_PPN_NAMES ",new_process", .source = ES_PORTRECV) \
	X(PORT_BUSY, "port-busy", "", "char *", "port", .source = ES_SYSMON, .atoms = "busy_port busy_dist_port") \
	X(PORT_NOT_BUSY, "port-not_busy", "", "char *", "port", .source = ES_KERNEL) \
	X(DRIVER_INIT, "driver-init", "", "char *,int,int,int", "name,major,minor,flags", .source = ES_KERNEL) \
	X(DRIVER_FINISH, "driver-finish", "", "char *", "name", .source = ES_KERNEL) \
	X(DRIVER_STOP_SELECT, "driver-stop_select", "", "char *", "name", .source = ES_KERNEL) \
	X(DRIVER_START, "driver-start", "", ERL_PPN, "process,name,port", .source = ES_PORTS) \
	X(DRIVER_STOP, "driver-stop", "", ERL_PPN, "process,name,port", .source = ES_PORTS) \
	X(DRIVER_FLUSH, "driver-flush", "", ERL_PPN, ERL_PPN_NAMES, .source = ES_PORTRECV) \
	X(DRIVER_OUTPUT, "driver-output", "", ERL_PPN ",int", ERL_PPN_NAMES ",bytes", .source = ES_PORTRECV) \
	X(DRIVER_OUTPUTV, "driver-outputv", "", ERL_PPN ",int", ERL_PPN_NAMES ",bytes", .source = ES_PORTRECV) \
	X(DRIVER_CONTROL, "driver-control", "", ERL_PPN ",int,int", ERL_PPN_NAMES ",command,bytes", \
	    .source = ES_PORTRECV) \
	X(DRIVER_CALL, "driver-call", "", ERL_PPN ",int,int", ERL_PPN_NAMES ",command,bytes", .source = ES_PORTRECV) \
	X(DRIVER_READY_INPUT, "driver-ready_input", "", ERL_PPN, ERL_PPN_NAMES, .source = ES_KERNEL) \
	X(DRIVER_READY_OUTPUT, "driver-ready_output", "", ERL_PPN, ERL_PPN_NAMES, .source = ES_KERNEL) \
	X(DRIVER_TIMEOUT, "driver-timeout", "", ERL_PPN, ERL_PPN_NAMES, .source = ES_PORTRECV) \
	X(DRIVER_READY_ASYNC, "driver-ready_async", "", ERL_PPN, ERL_PPN_NAMES, .source = ES_KERNEL) \
	X(DRIVER_PROCESS_EXIT, "driver-process_exit", "", ERL_PPN, ERL_PPN_NAMES, .source = ES_KERNEL) \
	X(DRIVER_EVENT, "driver-event", "", ERL_PPN, ERL_PPN_NAMES, .source = ES_NEVER) \
	X(TRACE, "trace", "", "char *,char *,char *,char *,char *", "process,event,state,arg1,arg2", .source = ES_ALL) \
	X(TRACE_SEQ, "trace_seq", "", "char *,char *,char *", "state,label,seq_info", .source = ES_SEQ) \
	X(USER_TRACE_S1, "user_trace-s1", "", "char *", "message", .source = ES_USER) \
	X(USER_TRACE_I4S4, "user_trace-i4s4", "", ERL_I4S4, ERL_I4S4_NAMES, .source = ES_USER) \
	X(CODE_LOAD, "code-load", "", "char *,char *", "module,md5", .source = ES_CODE) \
	X(CODE_DELETE, "code-delete", "", "char *,char *", "module,md5", .source = ES_CODE) \
	X(CODE_PURGE, "code-purge", "", "char *,char *", "module,md5", .source = ES_CODE) \
	X(SYSTEM_LONG_GC, "system-long_gc", "", "char *,int", "process,milliseconds", .source = ES_SYSMON, \
	    .atoms = "long_gc") \
	X(SYSTEM_LONG_SCHEDULE, "system-long_schedule", "", "char *,int", "process,milliseconds", .source = ES_SYSMON, \
	    .atoms = "long_schedule") \
	X(SYSTEM_LARGE_HEAP, "system-large_heap", "", "char *,int", "process,words", .source = ES_SYSMON, \
	    .atoms = "large_heap") \
	X(SYSTEM_LONG_MESSAGE_QUEUE, "system-long_message_queue", "", "char *,int", "process,is_long", \
	    .source = ES_SYSMON, .atoms = "long_message_queue") \
	X(AIO_POOL_ADD, "aio_pool-add", "aio-pool_add", "char *,int", "name,queue_length", .source = ES_NEVER) \
	X(AIO_POOL_GET, "aio_pool-get", "aio-pool_get", "char *,int", "name,queue_length", .source = ES_NEVER) \
	X(EFILE_DRV_ENTRY, "efile_drv-entry", "", ERL_I4S4, ERL_I4S4_NAMES, .source = ES_NEVER) \
	X(EFILE_DRV_INT_ENTRY, "efile_drv-int_entry", "efile_drv-int-entry", "int,int,int", "thread,tag,command", \
	    .source = ES_NEVER) \
	X(EFILE_DRV_INT_RETURN, "efile_drv-int_return", "efile_drv-int-return", "int,int,int", "thread,tag,command", \
	    .source = ES_NEVER) \
	X(EFILE_DRV_RETURN, "efile_drv-return", "", "int,int,char *,int,int,int", \
	    "thread,tag,user_tag,command,success,error", .source = ES_NEVER)

enum erl_probe {
#define X(id, ...) ERLP_##id,
	ERL_PROBES(X)
#undef X
	    ERLP_USER_TRACE_N, /* user_trace-n0 … n950 */
	ERL_NROWS = ERLP_USER_TRACE_N,
	ERLP_ENTRY, /* a function by name: entry, return, exception */
	ERLP_RETURN,
	ERLP_EXCEPTION,
	ERL_NPROBES
};

enum { ERL_USER_TRACES = 951 };

struct erl_row {
	const char *name, *aliases, *types, *arguments;
	struct erl_needs needs;
};
extern const struct erl_row erl_rows[ERL_NROWS]; /* by enum erl_probe */

bool erl_is_alias(const char *aliases, const char *name);
/* By its name, or one of its aliases; NULL: there is none. */
const struct erl_row *erl_row_named(const char *name);

#endif

/*
 * The erlang provider: every probe in one table, for the command (which lists
 * them and knows their types) and for the tracer inside the VM (which fires them).
 *
 * X(id, name, aliases, arguments, source)
 *   name       as OTP's own provider has it, with dashes for double underscores
 *   aliases    other spellings in published scripts, separated by blanks
 *   arguments  D types, separated by commas
 *   source     what in the VM makes it fire: enum erl_source
 *
 * The probes user_trace-n0 … user_trace-n950 are not rows: they have the arguments of
 * user_trace-i4s4. Function probes by name (erlang*:lists:map/2:entry) are
 * made on demand: entry has the function's arguments as terms, return its value,
 * exception class and reason.
 */
#ifndef ET_PROVIDER_ERLANG_PROBES_H
#define ET_PROVIDER_ERLANG_PROBES_H

#include <stdbool.h>
#include <string.h>

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
	ES_USER,     /* the application calls erltrace:p and its friends */
	ES_SEQ,      /* seq_trace */
	ES_ALL,      /* every tag that any other probe of the script switches on */
	ES_KERNEL,   /* not through the tracer: needs the kernel engine */
	ES_NONE,     /* nothing of its own: what the probe wants besides (session.c) */
	ES_NEVER,    /* declared by OTP, never fired, or gone: matches nothing */
};

#define ERL_TOK ",int,int,int"
#define ERL_PPN "char *,char *,char *"
#define ERL_I4S4 "char *,char *,int64_t,int64_t,int64_t,int64_t,char *,char *,char *,char *"

#define ERL_PROBES(X) \
	X(MESSAGE_SEND, "message-send", "", "char *,char *,uint32_t" ERL_TOK ",term", ES_SEND) \
	X(MESSAGE_SEND_REMOTE, "message-send-remote", "message-send_remote", \
	    "char *,char *,char *,uint32_t" ERL_TOK ",term", ES_SEND) \
	X(MESSAGE_QUEUED, "message-queued", "", "char *,uint32_t,uint32_t" ERL_TOK ",term", ES_RECEIVE) \
	X(MESSAGE_RECEIVE, "message-receive", "", "char *,uint32_t,uint32_t" ERL_TOK, ES_KERNEL) \
	X(COPY_STRUCT, "copy-struct", "", "uint32_t", ES_KERNEL) \
	X(COPY_OBJECT, "copy-object", "", "char *,uint32_t", ES_KERNEL) \
	X(LOCAL_FUNCTION_ENTRY, "local-function-entry", "local-function_entry", "char *,char *,int", ES_CALL) \
	X(GLOBAL_FUNCTION_ENTRY, "global-function-entry", "global-function_entry", "char *,char *,int", ES_CALL) \
	X(FUNCTION_ENTRY, "function-entry", "function_entry", "char *,char *,int", ES_CALL) \
	X(FUNCTION_RETURN, "function-return", "function_return", "char *,char *,int", ES_RETURN) \
	X(BIF_ENTRY, "bif-entry", "", "char *,char *", ES_CALL) \
	X(BIF_RETURN, "bif-return", "", "char *,char *", ES_RETURN) \
	X(NIF_ENTRY, "nif-entry", "", "char *,char *", ES_CALL) \
	X(NIF_RETURN, "nif-return", "", "char *,char *", ES_RETURN) \
	X(GC_MAJOR_START, "gc_major-start", "gc-major_start", "char *,int", ES_GC) \
	X(GC_MINOR_START, "gc_minor-start", "gc-minor_start", "char *,int", ES_GC) \
	X(GC_MAJOR_END, "gc_major-end", "gc-major_end", "char *,int", ES_GC) \
	X(GC_MINOR_END, "gc_minor-end", "gc-minor_end", "char *,int", ES_GC) \
	X(PROCESS_SPAWN, "process-spawn", "", "char *,char *", ES_PROCS) \
	X(PROCESS_EXIT, "process-exit", "", "char *,char *", ES_PROCS) \
	X(PROCESS_EXIT_SIGNAL, "process-exit_signal", "process-exit-signal", "char *,char *,char *", ES_NONE) \
	X(PROCESS_EXIT_SIGNAL_REMOTE, "process-exit_signal-remote", "process-exit_signal_remote", \
	    "char *,char *,char *,char *" ERL_TOK, ES_NONE) \
	X(PROCESS_SCHEDULED, "process-scheduled", "", "char *,char *", ES_RUNNING) \
	X(PROCESS_UNSCHEDULED, "process-unscheduled", "", "char *", ES_RUNNING) \
	X(PROCESS_HIBERNATE, "process-hibernate", "", "char *,char *", ES_NONE) \
	X(PROCESS_PORT_UNBLOCKED, "process-port_unblocked", "process-port-unblocked", "char *,char *", ES_SYSMON) \
	X(PROCESS_HEAP_GROW, "process-heap_grow", "process-heap-grow", "char *,int,int", ES_GC) \
	X(PROCESS_HEAP_SHRINK, "process-heap_shrink", "process-heap-shrink", "char *,int,int", ES_GC) \
	X(PROCESS_REGISTER, "process-register", "", "char *,char *", ES_PROCS) \
	X(PROCESS_UNREGISTER, "process-unregister", "", "char *,char *", ES_PROCS) \
	X(PROCESS_LINK, "process-link", "", "char *,char *", ES_PROCS) \
	X(PROCESS_UNLINK, "process-unlink", "", "char *,char *", ES_PROCS) \
	X(MAILBOX_100MS, "mailbox-100ms", "", "char *,int64_t,int64_t", ES_NONE) \
	X(MAILBOX_1S, "mailbox-1s", "", "char *,int64_t,int64_t", ES_NONE) \
	X(MAILBOX_10S, "mailbox-10s", "", "char *,int64_t,int64_t", ES_NONE) \
	X(DIST_MONITOR, "dist-monitor", "", "char *,char *,char *,char *,char *", ES_DIST) \
	X(DIST_PORT_BUSY, "dist-port_busy", "dist-port-busy", "char *,char *,char *,char *", ES_SYSMON) \
	X(DIST_PORT_NOT_BUSY, "dist-port_not_busy", "", "char *,char *,char *", ES_SYSMON) \
	X(DIST_OUTPUT, "dist-output", "", "char *,char *,char *,int", ES_KERNEL) \
	X(DIST_OUTPUTV, "dist-outputv", "", "char *,char *,char *,int", ES_KERNEL) \
	X(PORT_OPEN, "port-open", "", ERL_PPN, ES_PORTS) \
	X(PORT_COMMAND, "port-command", "", ERL_PPN ",char *", ES_PORTRECV) \
	X(PORT_CONTROL, "port-control", "", ERL_PPN ",int", ES_PORTRECV) \
	X(PORT_EXIT, "port-exit", "", ERL_PPN ",char *", ES_PORTS) \
	X(PORT_CONNECT, "port-connect", "", ERL_PPN ",char *", ES_PORTRECV) \
	X(PORT_BUSY, "port-busy", "", "char *", ES_SYSMON) \
	X(PORT_NOT_BUSY, "port-not_busy", "", "char *", ES_KERNEL) \
	X(DRIVER_INIT, "driver-init", "", "char *,int,int,int", ES_KERNEL) \
	X(DRIVER_FINISH, "driver-finish", "", "char *", ES_KERNEL) \
	X(DRIVER_STOP_SELECT, "driver-stop_select", "", "char *", ES_KERNEL) \
	X(DRIVER_START, "driver-start", "", ERL_PPN, ES_PORTS) \
	X(DRIVER_STOP, "driver-stop", "", ERL_PPN, ES_PORTS) \
	X(DRIVER_FLUSH, "driver-flush", "", ERL_PPN, ES_PORTRECV) \
	X(DRIVER_OUTPUT, "driver-output", "", ERL_PPN ",int", ES_PORTRECV) \
	X(DRIVER_OUTPUTV, "driver-outputv", "", ERL_PPN ",int", ES_PORTRECV) \
	X(DRIVER_CONTROL, "driver-control", "", ERL_PPN ",int,int", ES_PORTRECV) \
	X(DRIVER_CALL, "driver-call", "", ERL_PPN ",int,int", ES_PORTRECV) \
	X(DRIVER_READY_INPUT, "driver-ready_input", "", ERL_PPN, ES_KERNEL) \
	X(DRIVER_READY_OUTPUT, "driver-ready_output", "", ERL_PPN, ES_KERNEL) \
	X(DRIVER_TIMEOUT, "driver-timeout", "", ERL_PPN, ES_PORTRECV) \
	X(DRIVER_READY_ASYNC, "driver-ready_async", "", ERL_PPN, ES_KERNEL) \
	X(DRIVER_PROCESS_EXIT, "driver-process_exit", "", ERL_PPN, ES_KERNEL) \
	X(DRIVER_EVENT, "driver-event", "", ERL_PPN, ES_NEVER) \
	X(TRACE, "trace", "", "char *,char *,char *,char *,char *", ES_ALL) \
	X(TRACE_SEQ, "trace_seq", "", "char *,char *,char *", ES_SEQ) \
	X(USER_TRACE_S1, "user_trace-s1", "", "char *", ES_USER) \
	X(USER_TRACE_I4S4, "user_trace-i4s4", "", ERL_I4S4, ES_USER) \
	X(CODE_LOAD, "code-load", "", "char *,char *", ES_CODE) \
	X(CODE_DELETE, "code-delete", "", "char *,char *", ES_CODE) \
	X(CODE_PURGE, "code-purge", "", "char *,char *", ES_CODE) \
	X(SYSTEM_LONG_GC, "system-long_gc", "", "char *,int", ES_SYSMON) \
	X(SYSTEM_LONG_SCHEDULE, "system-long_schedule", "", "char *,int", ES_SYSMON) \
	X(SYSTEM_LARGE_HEAP, "system-large_heap", "", "char *,int", ES_SYSMON) \
	X(AIO_POOL_ADD, "aio_pool-add", "aio-pool_add", "char *,int", ES_NEVER) \
	X(AIO_POOL_GET, "aio_pool-get", "aio-pool_get", "char *,int", ES_NEVER) \
	X(EFILE_DRV_ENTRY, "efile_drv-entry", "", ERL_I4S4, ES_NEVER) \
	X(EFILE_DRV_INT_ENTRY, "efile_drv-int_entry", "efile_drv-int-entry", "int,int,int", ES_NEVER) \
	X(EFILE_DRV_INT_RETURN, "efile_drv-int_return", "efile_drv-int-return", "int,int,int", ES_NEVER) \
	X(EFILE_DRV_RETURN, "efile_drv-return", "", "int,int,char *,int,int,int", ES_NEVER)

enum erl_probe {
#define X(id, name, aliases, args, source) ERLP_##id,
	ERL_PROBES(X)
#undef X
	    ERLP_USER_TRACE_N, /* user_trace-n0 … n950 */
	ERLP_ENTRY,            /* a function by name: entry, return, exception */
	ERLP_RETURN,
	ERLP_EXCEPTION,
	ERL_NPROBES
};

enum { ERL_USER_TRACES = 951 };

/* Whether `name` is one of the words of `aliases`. */
static inline bool
erl_is_alias(const char *aliases, const char *name)
{
	size_t len = strlen(name);
	for (const char *at = aliases; *at; at += strcspn(at, " "), at += *at == ' ')
		if (strcspn(at, " ") == len && strncmp(at, name, len) == 0)
			return true;
	return false;
}

#endif

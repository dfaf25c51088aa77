/*
 * The modules of the agent, in the order in which they need each other: attaching loads them into a node (attach.c),
 * and the command carries them (src/cli/carried.c). The Makefile reads this list too.
 */
#ifndef ET_NODE_AGENT_MODULES_H
#define ET_NODE_AGENT_MODULES_H

#define ET_AGENT_MODULES(M) \
	M(erltrace_tracer) \
	M(erltrace_session) \
	M(erltrace_levels) \
	M(erltrace_patterns) \
	M(erltrace_sources) \
	M(erltrace_flags) \
	M(erltrace_sampler) \
	M(erltrace_names) \
	M(erltrace_counters) \
	M(erltrace_mailboxes) \
	M(erltrace_vm) \
	M(erltrace_gauges) \
	M(erltrace_hub) \
	M(erltrace_agent) \
	M(erltrace_place)

/* Carried too, but not for a node: see tunnel.h. */
#define ET_HELPER_MODULES(M) M(erltrace_tunnel)

#endif

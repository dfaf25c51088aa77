/*
 * The modules that attaching loads into a node (attach.c) and that the command carries (src/cli/carried.c). All modules
 * of the agent but one are in erltrace_agent: see otp/erltrace/bundle.escript. The Makefile reads both lists.
 */
#ifndef ET_NODE_AGENT_MODULES_H
#define ET_NODE_AGENT_MODULES_H

#define ET_AGENT_MODULES(M) \
	M(erltrace_tracer) \
	M(erltrace_agent)

#define ET_BUNDLED_MODULES(B) \
	B(erltrace_session) \
	B(erltrace_levels) \
	B(erltrace_patterns) \
	B(erltrace_sources) \
	B(erltrace_flags) \
	B(erltrace_sampler) \
	B(erltrace_names) \
	B(erltrace_counters) \
	B(erltrace_mailboxes) \
	B(erltrace_vm) \
	B(erltrace_gauges) \
	B(erltrace_hub) \
	B(erltrace_place)

/* Carried too, but not for a node: see tunnel.h. */
#define ET_HELPER_MODULES(M) M(erltrace_tunnel)

#endif

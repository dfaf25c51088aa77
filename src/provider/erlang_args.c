/* What the arguments of the erlang provider's probes are called, for -lv: as OTP's own erlang_dtrace.d calls them. */
#include "provider/erlang.h"

#include <string.h>

#define TOK ",token_label,token_previous,token_current"
#define PPN "process,port,port_name"
#define I4S4 "process,user_tag,i1,i2,i3,i4,s1,s2,s3,s4"

static const struct {
	const char *probe, *args;
} names[] = {
    {"message-send", "sender,receiver,size" TOK ",message"},
    {"message-send-remote", "sender,node_name,receiver,size" TOK ",message"},
    {"message-queued", "receiver,size,queue_length" TOK ",message"},
    {"message-receive", "receiver,size,queue_length" TOK},
    {"mailbox-100ms", "process,length,growth"},
    {"mailbox-1s", "process,length,growth"},
    {"mailbox-10s", "process,length,growth"},
    {"copy-struct", "size"},
    {"copy-object", "process,size"},
    {"local-function-entry", "process,mfa,depth"},
    {"global-function-entry", "process,mfa,depth"},
    {"function-entry", "process,mfa,depth"},
    {"function-return", "process,mfa,depth"},
    {"bif-entry", "process,mfa"},
    {"bif-return", "process,mfa"},
    {"nif-entry", "process,mfa"},
    {"nif-return", "process,mfa"},
    {"gc_major-start", "process,need"},
    {"gc_minor-start", "process,need"},
    {"gc_major-end", "process,reclaimed"},
    {"gc_minor-end", "process,reclaimed"},
    {"process-spawn", "process,mfa"},
    {"process-exit", "process,reason"},
    {"process-exit_signal", "sender,receiver,reason"},
    {"process-exit_signal-remote", "sender,node_name,receiver,reason" TOK},
    {"process-scheduled", "process,mfa"},
    {"process-unscheduled", "process"},
    {"process-hibernate", "process,mfa"},
    {"process-port_unblocked", "process,port"},
    {"process-heap_grow", "process,old_size,new_size"},
    {"process-heap_shrink", "process,old_size,new_size"},
    {"process-register", "process,name"},
    {"process-unregister", "process,name"},
    {"process-link", "process,other"},
    {"process-unlink", "process,other"},
    {"dist-monitor", "node,what,monitored_node,type,reason"},
    {"dist-port_busy", "node,port,remote_node,process"},
    {"dist-port_not_busy", "node,port,remote_node"},
    {"dist-output", "node,port,remote_node,bytes"},
    {"dist-outputv", "node,port,remote_node,bytes"},
    {"port-open", "process,port_name,port"},
    {"port-command", PPN ",command_type"},
    {"port-control", PPN ",command"},
    {"port-exit", PPN ",reason"},
    {"port-connect", PPN ",new_process"},
    {"port-busy", "port"},
    {"port-not_busy", "port"},
    {"driver-init", "name,major,minor,flags"},
    {"driver-finish", "name"},
    {"driver-stop_select", "name"},
    {"driver-start", "process,name,port"},
    {"driver-stop", "process,name,port"},
    {"driver-flush", PPN},
    {"driver-output", PPN ",bytes"},
    {"driver-outputv", PPN ",bytes"},
    {"driver-control", PPN ",command,bytes"},
    {"driver-call", PPN ",command,bytes"},
    {"driver-ready_input", PPN},
    {"driver-ready_output", PPN},
    {"driver-timeout", PPN},
    {"driver-ready_async", PPN},
    {"driver-process_exit", PPN},
    {"driver-event", PPN},
    {"trace", "process,event,state,arg1,arg2"},
    {"trace_seq", "state,label,seq_info"},
    {"user_trace-s1", "message"},
    {"user_trace-i4s4", I4S4},
    {"code-load", "module,md5"},
    {"code-delete", "module,md5"},
    {"code-purge", "module,md5"},
    {"system-long_gc", "process,milliseconds"},
    {"system-long_schedule", "process,milliseconds"},
    {"system-large_heap", "process,words"},
    {"aio_pool-add", "name,queue_length"},
    {"aio_pool-get", "name,queue_length"},
    {"efile_drv-entry", I4S4},
    {"efile_drv-int_entry", "thread,tag,command"},
    {"efile_drv-int_return", "thread,tag,command"},
    {"efile_drv-return", "thread,tag,user_tag,command,success,error"},
    /* of functions; the names that the arguments have in the source are not in the code */
    {"return", "value"},
    {"exception", "class,reason"},
};

const char *
erlang_arg_names(const struct probe *p)
{
	if (p->pv != &provider_erlang)
		return NULL;
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i].probe, p->names[3]) == 0)
			return names[i].args;
	return strncmp(p->names[3], "user_trace-n", 12) == 0 ? I4S4 : NULL;
}

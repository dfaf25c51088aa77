#!/usr/bin/env -S erltrace -qs
/*
 * Which calls start on one CPU and return on another? The module is named by -D, so that not all of the node is traced.
 *
 *     ./cpu-migration.d -N NODE -C -D MODULE=gen_server
 */

#ifndef MODULE
#error give -C -D MODULE=..., such as -C -D MODULE=gen_server
#endif

erlang*:MODULE::entry
{
	self->on[stackdepth] = cpu + 1;
}

erlang*:MODULE::return
/self->on[stackdepth] && self->on[stackdepth] != cpu + 1/
{
	printf("%s %s @ depth %d: CPU %d -> %d\n", eproc, probefunc, stackdepth, self->on[stackdepth] - 1, cpu);
}

erlang*:MODULE::return
/self->on[stackdepth]/
{
	@[self->on[stackdepth] == cpu + 1 ? "returned on the same CPU" : "on another"] = count();
	self->on[stackdepth] = 0;
}

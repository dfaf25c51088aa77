#!/usr/bin/env -S erltrace -qs
/*
 * Which calls start on one CPU and return on another? A module must be named, or all of the node would be traced.
 *
 * Cost: about 0.6 us for each call in the module; the rest of the node runs at full speed.
 *
 *     erltrace -N NODE cpu-migration MODULE
 *
 * @needs node
 * @arg MODULE module: whose functions
 */
erlang*:$1::entry
{
	self->on[stackdepth] = cpu + 1;
}

erlang*:$1::return
/self->on[stackdepth] && self->on[stackdepth] != cpu + 1/
{
	printf("%s %s @ depth %d: CPU %d -> %d\n", eproc, probefunc, stackdepth, self->on[stackdepth] - 1, cpu);
}

erlang*:$1::return
/self->on[stackdepth]/
{
	@[self->on[stackdepth] == cpu + 1 ? "returned on the same CPU" : "on another"] = count();
	self->on[stackdepth] = 0;
}

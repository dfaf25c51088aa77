#!/usr/bin/env -S erltrace -qs
/*
 * Which files does the node read and write, how much, and how long does that take? Costs 5 % of a busy broker. By file
 * and operation of the VM's file layer, and by process. Files that were open before have no name here. A file that was
 * not opened as `raw` is read and written by a process of its own, which is the one that is shown.
 *
 * Cost: 3 to 8 us for each operation; reading 100 bytes of a cached file takes 6 us without it.
 *
 *     erltrace -N NODE file-io [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

self string file;
self string handle;
string opened[string];

erlang*:prim_file:open_nif/2:entry,
erlang*:prim_file:read_file_nif/1:entry,
erlang*:prim_file:read_info_nif/2:entry,
erlang*:prim_file:list_dir_nif/1:entry,
erlang*:prim_file:make_dir_nif/1:entry,
erlang*:prim_file:del_file_nif/1:entry,
erlang*:prim_file:rename_nif/2:entry
{
	self->file = is_binary(args[0]) ? binary(args[0]) : text(args[0]);
	self->start = timestamp;
}

erlang*:prim_file:read_nif/2:entry,
erlang*:prim_file:pread_nif/3:entry,
erlang*:prim_file:write_nif/2:entry,
erlang*:prim_file:pwrite_nif/3:entry,
erlang*:prim_file:sync_nif/2:entry,
erlang*:prim_file:truncate_nif/1:entry,
erlang*:prim_file:close_nif/1:entry
{
	self->handle = args[0];
	self->file = opened[self->handle] != "" ? opened[self->handle] : "(open before)";
	self->start = timestamp;
}

erlang*:prim_file:write_nif/2:entry
{
	self->bytes = iolist_size(args[1]);
}

erlang*:prim_file:pwrite_nif/3:entry
{
	self->bytes = iolist_size(args[2]);
}

/* {continue, Rest}: the rest was not written */
erlang*:prim_file:write_nif/2:return,
erlang*:prim_file:pwrite_nif/3:return
/self->start && is_tuple(args[0])/
{
	self->bytes = element(1, args[0]) == "continue" ? self->bytes - iolist_size(element(2, args[0])) : 0;
}

erlang*:prim_file:read_nif/2:return,
erlang*:prim_file:pread_nif/3:return,
erlang*:prim_file:read_file_nif/1:return
/self->start && is_tuple(args[0]) && element(1, args[0]) == "ok"/
{
	self->bytes = byte_size(element(2, args[0]));
}

erlang*:prim_file:open_nif/2:return
/self->start && is_tuple(args[0]) && element(1, args[0]) == "ok"/
{
	opened[text(element(2, args[0]))] = self->file;
}

erlang*:prim_file:open_nif/2:return,
erlang*:prim_file:read_file_nif/1:return,
erlang*:prim_file:read_info_nif/2:return,
erlang*:prim_file:list_dir_nif/1:return,
erlang*:prim_file:make_dir_nif/1:return,
erlang*:prim_file:del_file_nif/1:return,
erlang*:prim_file:rename_nif/2:return,
erlang*:prim_file:read_nif/2:return,
erlang*:prim_file:pread_nif/3:return,
erlang*:prim_file:write_nif/2:return,
erlang*:prim_file:pwrite_nif/3:return,
erlang*:prim_file:sync_nif/2:return,
erlang*:prim_file:truncate_nif/1:return,
erlang*:prim_file:close_nif/1:return
/self->start/
{
	this->us = (timestamp - self->start) / 1000;
	this->op = substr(probefunc, 0, index(probefunc, "_nif"));
	@calls[self->file, this->op] = count();
	@bytes[self->file, this->op] = sum(self->bytes);
	@mean[self->file, this->op] = avg(this->us);
	@longest[self->file, this->op] = max(this->us);
	@by[name(eproc), this->op] = sum(self->bytes);
	@bycalls[name(eproc), this->op] = count();
	@bytime[name(eproc), this->op] = sum(this->us);
	@all[this->op] = quantize(this->us);
	self->file = 0;
	self->start = 0;
	self->bytes = 0;
}

erlang*:prim_file:close_nif/1:return
{
	opened[self->handle] = 0;
	self->handle = 0;
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	printf("%-48s %-10s %8s %12s %10s %10s\n", "FILE", "", "CALLS", "BYTES", "MEAN us", "LONGEST us");
	printa("%-48s %-10s %@8u %@12d %@10u %@10u\n", @calls, @bytes, @mean, @longest);
	printf("\n%-48s %-10s %8s %12s %10s\n", "PROCESS", "", "CALLS", "BYTES", "ALL us");
	printa("%-48s %-10s %@8u %@12d %@10u\n", @bycalls, @by, @bytime);
	printa("%s, us%@d\n", @all);
	trunc(@calls);
	trunc(@bytes);
	trunc(@mean);
	trunc(@longest);
	trunc(@by);
	trunc(@bycalls);
	trunc(@bytime);
	trunc(@all);
}

#!/usr/bin/env -S erltrace -qs
/*
 * Which processes make their scheduler wait for a lock, where, and how long? Costs more than 5 % of a busy node. A
 * thread that waits for a lock of the VM or of a NIF sleeps in futex(2). If an Erlang process runs on it, that process
 * waits, and so does everybody behind it in the run queue. Idle schedulers sleep there too, but no process runs on them
 * then.
 *
 * Cost: about 0.3 us for each system call on the machine, 2 us for each wait, and 0.1 us each time that a process of
 * the node begins or ceases to run. Needs root.
 *
 *     erltrace -N NODE lock-waits [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs
#pragma D option ustackframes=24

/* FUTEX_WAIT, FUTEX_LOCK_PI, FUTEX_WAIT_BITSET */
syscall::futex:entry
/pid == $target && eproc != "" && ((arg1 & 127) == 0 || (arg1 & 127) == 6 || (arg1 & 127) == 9)/
{
	self->asleep = timestamp;
}

syscall::futex:return
/self->asleep && pid == $target/
{
	this->us = (timestamp - self->asleep) / 1000;
	@waits[name(eproc)] = count();
	@all[name(eproc)] = sum(this->us);
	@longest[name(eproc)] = max(this->us);
	@where[ustack()] = sum(this->us);
	@times["Waits, us"] = quantize(this->us);
	self->asleep = 0;
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	trunc(@where, 20);
	printf("%-60s %8s %12s %12s\n", "PROCESS", "WAITS", "ALL us", "LONGEST us");
	printa("%-60s %@8u %@12u %@12u\n", @waits, @all, @longest);
	printa("%s%@d\n", @times);
	printf("Where, and us of all waits there\n");
	printa("%k%@12u us\n", @where);
	trunc(@waits);
	trunc(@all);
	trunc(@longest);
	trunc(@times);
	trunc(@where);
}

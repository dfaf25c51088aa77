#!/usr/bin/env -S erltrace -qs
/*
 * How many bytes go out through which ports' drivers, and what control commands do they get? Costs more than 5 %.
 * From OTP 26 on gen_tcp:send adds about 28 bytes to each of its writes, for itself.
 *
 * Cost: about 0.2 us for each message to a port or a process. On RabbitMQ it was 16 % of what a message needs.
 *
 *     erltrace -N NODE drivers [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

erlang*:::driver-start
{
	@starts[copyinstr(arg1)] = count();
}

erlang*:::driver-stop
{
	@stops = count();
}

erlang*:::driver-output
{
	@bytes[copyinstr(arg1), copyinstr(arg2)] = sum((int)arg3);
	@writes[copyinstr(arg1), copyinstr(arg2)] = count();
}

erlang*:::driver-control
{
	@controls[copyinstr(arg1), (int)arg3] = count();
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	printf("Started\n");
	printa("    %-40s %@10u\n", @starts);
	printa("Stopped %@u\n", @stops);
	printf("Output: port, name, writes, bytes\n");
	printa("    %-20s %-20s %@10u %@12d\n", @writes, @bytes);
	printf("Control: port, command\n");
	printa("    %-20s %6d %@10u\n", @controls);
	trunc(@starts);
	trunc(@stops);
	trunc(@writes);
	trunc(@bytes);
	trunc(@controls);
}

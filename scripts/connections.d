#!/usr/bin/env -S erltrace -qs
/*
 * Which TCP connections are made, accepted and refused? By the other side's address and the port of whoever listens.
 *
 * Cost: about 0.3 us each time that a TCP connection changes its state, about ten times in the life of one.
 *
 *     erltrace connections [SECONDS]
 *     erltrace connections -c COMMAND
 *
 * @needs kernel
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

tcp:::connect-established,
tcp:::connect-refused
{
	@[probename, args[3]->tcps_raddr, args[3]->tcps_rport] = count();
}

tcp:::accept-established
{
	@[probename, args[3]->tcps_raddr, args[3]->tcps_lport] = count();
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	printf("%-20s %-40s %6s %10s\n", "", "ADDRESS", "PORT", "COUNT");
	printa("%-20s %-40s %6d %@10u\n", @);
	trunc(@);
}

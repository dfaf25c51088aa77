#!/usr/bin/env -S erltrace -qs
/*
 * How late do timers wake up on this machine? A probe asks to fire a thousand times a second on every CPU; arg2 is by
 * how much each firing missed its time. Shown every second.
 *
 * Cost: a thread that wakes up a thousand times a second, some 3 % of each CPU.
 *
 *     erltrace wakeups [SECONDS]
 *
 * @needs nothing
 * @arg SECONDS number optional: how long; 5 if left out
 */
#pragma D option defaultargs
#pragma D option aggrate=20ms
#pragma D option switchrate=20ms

BEGIN
{
	left = $1 ? $1 : 5;
	printf("Timer wake-ups: how late, in ns, by CPU. %d seconds.\n", left);
}

profile-1000
{
	@late[cpu] = quantize(arg2);
	@worst[cpu] = max(arg2);
	@mean[cpu] = avg(arg2);
	@n[cpu] = count();
}

tick-1s
{
	left--;
	printf("\n%Y\n", walltimestamp);
	printf("%8s %12s %12s %12s\n", "CPU", "WAKE-UPS", "MEAN ns", "WORST ns");
	printa("%8d %@12u %@12u %@12u\n", @n, @mean, @worst);
	clear(@n);
	clear(@mean);
	clear(@worst);
}

tick-1s
/left <= 0/
{
	exit(0);
}

END
{
	printf("\nAll of it:\n");
	printa("  CPU %d%@d\n", @late);
	clear(@n);
	trunc(@n);
	trunc(@mean);
	trunc(@worst);
	trunc(@late);
}

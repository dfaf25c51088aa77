#!/usr/bin/env -S erltrace -qs
/*
 * Which functions does a process call, and from which does it return? Costs more than 5 % if that process is busy: it
 * becomes many times slower. One line for each, indented by depth. A process must be named, or every call of the node
 * would be printed.
 *
 * Cost: a line of output for each call and return of that process; others run at full speed.
 *
 *     erltrace -N NODE function-calls PROCESS
 *
 * @needs node
 * @arg PROCESS process: which one, such as '<0.85.0>' or shop_db
 */
erlang*:::local-function-entry
/copyinstr(arg0) == $$1/
{
	printf("%*s-> %s (local)\n", (int)arg2 * 2, "", copyinstr(arg1));
}

erlang*:::global-function-entry
/copyinstr(arg0) == $$1/
{
	printf("%*s-> %s\n", (int)arg2 * 2, "", copyinstr(arg1));
}

erlang*:::function-return
/copyinstr(arg0) == $$1/
{
	printf("%*s<- %s\n", (int)arg2 * 2, "", copyinstr(arg1));
}

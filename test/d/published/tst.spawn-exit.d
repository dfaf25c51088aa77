#!/usr/sbin/dtrace -qs 
/*
 * spawn-exit.d as shown in talks, with a foreign #! line, compiles.
 *
 * @@opts: -e -Z
 * @@exit: 0
 */
 
erlang*:::process-spawn 
{ 
    printf("pid %s mfa %s\n", copyinstr(arg0), copyinstr(arg1)); 
} 
 
erlang*:::process-exit 
{ 
    printf("pid %s reason %s\n", copyinstr(arg0), copyinstr(arg1)); 
} 
 
erlang*:::process-exit_signal 
{ 
    printf("sender %s -> pid %s reason %s\n", 

    copyinstr(arg0), copyinstr(arg1), copyinstr(arg2)); 
} 

/*
 * Births and deaths a second, with chained assignment and statements that have
 * no last semicolon, compiles.
 *
 * @@opts: -e -Z
 * @@exit: 0
 */
/* dtrace -s /path/to/this/script.d */
BEGIN {
    spawns = exits = 0
}

erlang*:::process-spawn { spawns++ }
erlang*:::process-exit { exits++ }

profile:::tick-1sec {
    printf("Spawns %d exits %d", spawns, exits);
    spawns = exits = 0
}

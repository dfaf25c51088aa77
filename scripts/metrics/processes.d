/*
 * Births and deaths of processes.
 *
 * Cost: 1.1 us for each process that is born and ends. At most 1 % of a scheduler: where it would be more, `erltrace
 * export` runs it for a part of the time and estimates the rest.
 *
 * @share 1
 * @metric @born erlang_process_spawns_total by function: Processes that were born, by the function that they run.
 * @metric @died erlang_process_exits_total by reason: Processes that ended: normal, shutdown, killed or error.
 */
erlang*:::process-spawn
{
	@born[copyinstr(arg1)] = count();
}

erlang*:::process-exit
{
	this->why = copyinstr(arg1);
	@died[this->why == "normal" ? "normal" :
	    this->why == "shutdown" || index(this->why, "{shutdown,") == 0 ? "shutdown" :
	    this->why == "killed" ? "killed" : "error"] = count();
}

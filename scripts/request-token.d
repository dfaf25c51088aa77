#!/usr/bin/env -S erltrace -qs
/*
 * Which way does work take that carries a sequential-trace token, and how long do its messages wait? One line for each
 * message with a token, in order of time.
 *
 * The application sets the token where the work begins: seq_trace:set_token(label, 17). From then on every message that
 * the work causes carries it, from process to process: calls, casts and plain messages alike.
 *
 *     AT     when it was sent, from the first message of its label
 *     AFTER  the serial of the message that its sender had received last, which caused this one; 0 for the first
 *     WAIT   of that message: from sending until its receiver ran
 *     TOOK   from then until this one was sent
 *
 * Cost: about 0.5 us for each message of the node, and 0.2 us each time that a process runs.
 *
 *     erltrace -N NODE request-token [LABEL [SECONDS]]
 *
 * @needs node
 * @arg LABEL number optional: only this one; 0 or without it all
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs
#pragma D option dynvarsize=4m

int64_t first[int];			/* by label: when it began */
int64_t sent[int, string], ran[int, string];	/* by label and receiver: the last message to it, and when it ran then */
int label_for[string];			/* by receiver: of the message for which it has not run yet, and 1 */
string client_of[string];		/* of a reference to which a server will reply */

BEGIN
{
	printf("%8s %10s %8s %10s %10s  %s\n", "LABEL", "AT us", "AFTER", "WAIT us", "TOOK us", "MESSAGE");
}

erlang*:::request-send
{
	client_of[copyinstr(arg2)] = copyinstr(arg0);
}

erlang*:::request-done
/client_of[copyinstr(arg1)] != NULL/
{
	client_of[copyinstr(arg1)] = 0;
}

/* While a message is being sent, its sender still has the token of the message that it received. */
erlang*:::message-send
/(args[3] != 0 || args[5] != 0) && (!$1 || args[3] == $1)/
{
	this->label = args[3];
	this->from = copyinstr(arg0);
	this->to = client_of[copyinstr(arg1)] != NULL ? client_of[copyinstr(arg1)] : copyinstr(arg1);
	first[this->label] = first[this->label] ? first[this->label] : timestamp;
	this->ran = ran[this->label, this->from];
	printf("%8d %10d %8d %10d %10d  %s %s -> %s %s  %.60s\n", this->label, (timestamp - first[this->label]) / 1000,
	    args[5], this->ran ? (this->ran - sent[this->label, this->from]) / 1000 : 0,
	    this->ran ? (timestamp - this->ran) / 1000 : 0, this->from, name(this->from), this->to, name(this->to),
	    text(args[6]));
	sent[this->label, this->to] = timestamp;
	ran[this->label, this->to] = 0;
	label_for[this->to] = this->label + 1;
}

/* The receiver runs. */
erlang*:::process-scheduled
/label_for[copyinstr(arg0)]/
{
	ran[label_for[copyinstr(arg0)] - 1, copyinstr(arg0)] = timestamp;
	label_for[copyinstr(arg0)] = 0;
}

tick-1s
/$2 && ++seconds >= $2/
{
	exit(0);
}

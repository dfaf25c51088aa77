/*
 * Asserts that an atom written as Erlang writes it, which is a number in D, is an error that says how it is meant.
 *
 * @@stderr: 'ok' is a number in D, not an atom
 * @@stderr: an atom is met by its text: "ok"
 */
this term t;

BEGIN
/this->t == 'ok'/
{
	exit(0);
}

/*
 * Asserts that setopt() takes a value.
 */
#pragma D option quiet

BEGIN
{
	setopt("aggsortrev", "on");
	@["a"] = sum(1);
	@["b"] = sum(2);
	printa("%s ", @);
	exit(0);
}

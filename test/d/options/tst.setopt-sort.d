/*
 * Asserts that setopt() changes an option while tracing.
 */
#pragma D option quiet

BEGIN
{
	setopt("aggsortrev");
	@["a"] = sum(1);
	@["b"] = sum(2);
	printa("%s ", @);
	exit(0);
}

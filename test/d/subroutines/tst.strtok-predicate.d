/*
 * The end of strtok() can be kept in a variable and asked for by a predicate.
 */
#pragma D option quiet

BEGIN
{
	this->word = strtok("a b", " ");
}

BEGIN
/this->word != NULL/
{
	printf("%s\n", this->word);
	this->word = strtok(NULL, " ");
}

BEGIN
/this->word != NULL/
{
	printf("%s\n", this->word);
	this->word = strtok(NULL, " ");
}

BEGIN
/this->word != NULL/
{
	printf("never\n");
}

BEGIN
/this->word == NULL/
{
	printf("end\n");
	exit(0);
}

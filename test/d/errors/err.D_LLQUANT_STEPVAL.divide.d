/*
 * The steps of llquantize() divide its factor or the other way round.
 */
#pragma D option quiet

BEGIN
{
	@a = llquantize(5, 10, 0, 3, 11);
}

/*
 * Asserts the same of keys of maps.
 *
 * @@stderr: an atom is met by its text: "id"
 */
this term t;

BEGIN
{
	trace(map_get('id', this->t));
}

/*
 * Garbage collection: how often, how long, and how much it gives back.
 *
 * Cost: 1.2 us for each collection, up to 5 us on schedulers that mostly sleep. At most 1 % of a scheduler: where it
 * would be more, `erltrace export` runs it for a part of the time and estimates the rest.
 *
 * @share 1
 * @metric @time erlang_gc_duration_seconds by kind in ns sum @total buckets 1000..10000000000: How long collections hold processes up.
 * @metric @words erlang_gc_reclaimed_words_total by kind: Words that collections gave back.
 */
erlang*:::gc_major-start,
erlang*:::gc_minor-start
{
	self->t = timestamp;
}

erlang*:::gc_major-end
/self->t/
{
	this->took = timestamp - self->t;
	@time["major"] = quantize(this->took);
	@total["major"] = sum(this->took);
	@words["major"] = sum((int)arg1 > 0 ? (int)arg1 : 0);
	self->t = 0;
}

erlang*:::gc_minor-end
/self->t/
{
	this->took = timestamp - self->t;
	@time["minor"] = quantize(this->took);
	@total["minor"] = sum(this->took);
	@words["minor"] = sum((int)arg1 > 0 ? (int)arg1 : 0);
	self->t = 0;
}

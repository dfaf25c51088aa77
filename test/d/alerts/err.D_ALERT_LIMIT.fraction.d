/* A limit that is no whole number of the unit of the values is refused. */
alert p99(@wait in ms) > 5us;
BEGIN { @wait["a"] = quantize(1); @most = max(1); }

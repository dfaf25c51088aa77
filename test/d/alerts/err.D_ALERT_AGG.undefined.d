/* An alert over an aggregation that no clause fills is refused. */
alert p99(@wiat) > 5ms;
BEGIN { @wait["a"] = quantize(1); @most = max(1); }

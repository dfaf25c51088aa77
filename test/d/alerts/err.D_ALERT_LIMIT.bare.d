/* A time needs a unit. */
alert p99(@wait) > 5ms for 30;
BEGIN { @wait["a"] = quantize(1); @most = max(1); }

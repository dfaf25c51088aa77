/* A time may be given once. */
alert p99(@wait) > 5ms for 1s for 2s;
BEGIN { @wait["a"] = quantize(1); @most = max(1); }

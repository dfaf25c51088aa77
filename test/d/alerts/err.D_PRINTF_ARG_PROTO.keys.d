/* The text has a conversion for which there is no key. */
alert p99(@wait) > 5ms "%s %s";
BEGIN { @wait["a"] = quantize(1); @most = max(1); }

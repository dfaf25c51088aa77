%% How a script is to run: NODE_CONF of src/node/protocol.h. Buffers are small.
-define(CONF, #{strsize => 256, bufsize => 65536, aggsize => 65536, dynvarsize => 65536, specsize => 4096, scratchsize => 65536,
                nspec => 2, bufpolicy => 0, stackframes => 20, ustackframes => 20, jstackframes => 20, jstackstrsize => 512,
                destructive => 0, maxoverhead => 0, maxfire => 0, termbytes => 65536, termparts => 4096, counters => 1, sample => 1, countpart => 1,
                forward => 0}).

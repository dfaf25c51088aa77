# The ready-made scripts are inside the command, so that a single copied file has them.
$(BUILD)/gen/scripts.inc: src/embed.sh $(wildcard scripts/*.d)
	@mkdir -p $(@D)
	$(Q)sh src/embed.sh rows $(wildcard scripts/*.d) >$@
$(BUILD)/obj/src/cli/ready.o: $(BUILD)/gen/scripts.inc

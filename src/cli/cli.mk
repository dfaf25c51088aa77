# The ready-made scripts are inside the command, so that a single copied file has them.
$(BUILD)/gen/scripts.inc: src/cli/embed.sh $(wildcard scripts/*.d)
	@mkdir -p $(@D)
	sh src/cli/embed.sh $(wildcard scripts/*.d) >$@
$(BUILD)/obj/src/cli/ready.o: $(BUILD)/gen/scripts.inc
$(BUILD)/obj/src/cli/ready.o $(BUILD)/lint/src/cli/ready.ok: CPPFLAGS += -I$(BUILD)/gen

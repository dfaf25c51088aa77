# The D library inside the compiler: the structures of D's own variables and providers, and in kernel/ the translators
# that make them from the kernel's. Macros are expanded and comments dropped here, because the text is read each time a
# script is compiled.
DLIB_FILES := psinfo.d io.d net.d
DLIB_GEN := $(BUILD)/gen/dlib_types.inc $(BUILD)/gen/dlib_kernel.inc
CPPFLAGS += -I$(BUILD)/gen
$(BUILD)/gen/dlib_types.inc: $(DLIB_FILES:%=src/dlib/%)
$(BUILD)/gen/dlib_kernel.inc: $(DLIB_FILES:%=src/dlib/kernel/%)
$(DLIB_GEN): src/embed.sh src/dlib/dlib.mk
	@mkdir -p $(@D)
	$(call say,D,$@)
	$(Q)for f in $(filter %.d,$^); do $(CC) -E -P -undef -nostdinc -x c $$f || exit; done >$(@:.inc=.d)
	$(Q)sh src/embed.sh text $(@:.inc=.d) >$@
$(BUILD)/obj/src/lang/dlib.o: $(DLIB_GEN)

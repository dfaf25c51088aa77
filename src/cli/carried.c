/*
 * The agent's modules and the libraries for the VM, one for each processor, inside the command, so that this one file
 * is a complete erltrace. OTP_APP is the folder where they were built, and CARRIED_LIBRARIES the list of processors.
 * See struct node_part.
 */
#include "node/agent_modules.h"
#include "node/node.h"

#define CARRY(name, file) \
	__asm__(".section .rodata\n.balign 16\n.global carried_" #name "\n.hidden carried_" #name "\ncarried_" #name \
		":\n.incbin \"" OTP_APP "/" file "\"\n.global carried_" #name "_end\n.hidden carried_" #name \
		"_end\ncarried_" #name "_end:\n.byte 0\n.previous\n"); \
	extern const char carried_##name[], carried_##name##_end[]
#define CARRY_MODULE(name) CARRY(name, "priv/agent/" #name ".beam");
#define CARRY_HELPER(name) CARRY(name, "ebin/" #name ".beam");
#define CARRY_LIBRARY(machine) CARRY(machine, "../carried-" #machine ".gz");
#define MODULE(name) {"priv/agent/" #name ".beam", carried_##name, carried_##name##_end},
#define HELPER(name) {"ebin/" #name ".beam", carried_##name, carried_##name##_end},
#define LIBRARY(machine) {"priv/" #machine "/erltrace_tracer.so", carried_##machine, carried_##machine##_end},

ET_AGENT_MODULES(CARRY_MODULE)
ET_HELPER_MODULES(CARRY_HELPER)
CARRIED_LIBRARIES(CARRY_LIBRARY)

const struct node_part node_carried[] = {
    ET_AGENT_MODULES(MODULE) ET_HELPER_MODULES(HELPER) CARRIED_LIBRARIES(LIBRARY){NULL, NULL, NULL},
};

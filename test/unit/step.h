/*
 * A thread that stops after each of its machine instructions: the processor's trap flag, which raises SIGTRAP.
 */
#ifndef ET_TEST_STEP_H
#define ET_TEST_STEP_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* Code of sanitizers takes too many steps. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define CAN_STEP 1
#else
#define CAN_STEP 0
#endif

/* For this thread, from here on. */
static inline void
step_switch(bool on)
{
#if CAN_STEP
	if (on)
		__asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
	else
		__asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
#else
	(void)on;
#endif
}

/* In the signal's handler: the interrupted thread runs on without steps. */
static inline void
step_no_more(void *context)
{
#if CAN_STEP
	ucontext_t *u = context;
	u->uc_mcontext.gregs[REG_EFL] &= ~0x100L;
#else
	(void)context;
#endif
}

/* Returns false if a thread cannot step here. */
static inline bool
step_begin(void (*on_trap)(int sig, siginfo_t *si, void *context))
{
	struct sigaction sa = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
	return CAN_STEP && sigaction(SIGTRAP, &sa, NULL) == 0;
}

#endif

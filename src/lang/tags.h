/*
 * Error tags: one table. X(tag, meaning). The tag of an error is D_ and the name, as in DTrace, so that scripts and
 * tests that look for a tag find it. cc_error() is given the tag as text; tag_known() tells whether it is in this
 * table. Every tag of ET_TAGS has a test, err.D_TAG.*.d in test/d.
 *
 * DTrace has a few more, which nothing here can raise: ASRELO and ID_OFLOW belong to its object files. QUANT_PROTO is
 * PROTO_LEN here, OP_IDENT and DECL_IDENT are SYNTAX. For the errors of llquantize() the names are those of DTrace for
 * Linux, not illumos's.
 */
#ifndef ET_LANG_TAGS_H
#define ET_LANG_TAGS_H

#include <stdbool.h>

/* clang-format off */
#define ET_TAGS(X) \
	X(UNKNOWN, "an error without a tag of its own") \
	X(SYNTAX, "the text is not D") \
	X(EMPTY, "the program does nothing: no clause, inline, translator or provider") \
	X(TYPE_ERR, "a type is needed that is not known") \
	X(TYPE_MEMBER, "the structure has no such member") \
	X(CG_EXPR, "an action stands where a value is needed") \
	X(CG_DYN, "a value whose type is not known is used") \
	X(ATTR_MIN, "stability is below what option amin asks for") \
	X(PDESC_ZERO, "the probe description matches no probe") \
	X(PDESC_INVAL, "the probe description makes no sense") \
	X(PRED_SCALAR, "a predicate must be a number or a pointer") \
	X(FUNC_IDENT, "what is called is not a name") \
	X(FUNC_UNDEF, "no function of this name") \
	X(FUNC_IDKIND, "the name called is not a function") \
	X(OFFSETOF_TYPE, "offsetof needs a struct or union") \
	X(OFFSETOF_BITFIELD, "offsetof of a bit-field") \
	X(SIZEOF_TYPE, "sizeof of something without a size") \
	X(SIZEOF_BITFIELD, "sizeof of a bit-field") \
	X(STRINGOF_TYPE, "stringof cannot convert this type") \
	X(OP_INT, "the operand must be an integer") \
	X(OP_SCALAR, "the operand must be a number or a pointer") \
	X(OP_ARITH, "the operand must be a number") \
	X(OP_WRITE, "the operand cannot be written") \
	X(OP_LVAL, "the operand is not something that can be assigned") \
	X(OP_INCOMPAT, "the operands do not go together") \
	X(OP_VFPTR, "the operand points at void or at a function") \
	X(OP_ARRFUN, "the operand is an array or a function") \
	X(OP_PTR, "the operand must be a pointer") \
	X(OP_SOU, "the operand must be a struct or union") \
	X(OP_INCOMPLETE, "the operand's type is incomplete") \
	X(OP_DYN, "the operand's type is not known") \
	X(OP_ACT, "an action is used as an operand") \
	X(AGG_REDEF, "the aggregation has another function or other parameters already") \
	X(AGG_FUNC, "an aggregation takes only the result of an aggregating function") \
	X(AGG_MDIM, "an aggregation is indexed once, by a tuple") \
	X(ARR_BADREF, "a tuple indexes something that is no associative array") \
	X(ARR_BOUNDS, "a constant index outside of the array") \
	X(ARR_LOCAL, "a clause-local variable cannot be an associative array") \
	X(DIV_ZERO, "a constant expression divides by zero") \
	X(DEREF_NONPTR, "only pointers can be dereferenced") \
	X(DEREF_VOID, "a pointer to void cannot be dereferenced") \
	X(DEREF_FUNC, "a pointer to a function cannot be dereferenced") \
	X(ADDROF_LVAL, "the address of something that has none") \
	X(ADDROF_VAR, "a D variable has no address") \
	X(ADDROF_BITFIELD, "a bit-field has no address") \
	X(XLATE_REDECL, "the translator exists already") \
	X(XLATE_NOCONV, "the translator says nothing about this member") \
	X(XLATE_NONE, "no translator between these types") \
	X(XLATE_SOU, "a translator makes a struct or union") \
	X(XLATE_INCOMPAT, "the member and its expression do not go together") \
	X(XLATE_MEMB, "the translated type has no such member") \
	X(CAST_INVAL, "this cast is not possible") \
	X(PRAGERR, "a #error or #pragma error line") \
	X(PRAGCTL_INVAL, "no such control line") \
	X(PRAGMA_INVAL, "no such D pragma, or a bad argument") \
	X(PRAGMA_UNUSED, "the pragma names something that is never defined") \
	X(PRAGMA_MALFORM, "the pragma's arguments are wrong") \
	X(PRAGMA_OPTSET, "the option could not be set") \
	X(PRAGMA_SCOPE, "the pragma names something of another program") \
	X(PRAGMA_DEPEND, "something that the program depends on is missing") \
	X(MACRO_UNDEF, "no such macro variable or argument") \
	X(MACRO_OFLOW, "a macro argument is too big a number") \
	X(MACRO_UNUSED, "an argument is never used") \
	X(INT_OFLOW, "a number that does not fit in 64 bits") \
	X(INT_DIGIT, "a digit that the number's base does not have") \
	X(STR_NL, "a string that runs over the end of its line") \
	X(CHR_NL, "a character constant that runs over the end of its line") \
	X(CHR_NULL, "a character constant without a character") \
	X(CHR_OFLOW, "a character constant of more than eight bytes") \
	X(ESC_BAD, "an escape that means nothing") \
	X(IDENT_BADREF, "the name is something else than what is needed here") \
	X(IDENT_UNDEF, "the name is not known") \
	X(IDENT_AMBIG, "the name is a variable and an enumerator") \
	X(VAR_UNDEF, "the variable was never given a value") \
	X(VAR_UNSUP, "the variable has no meaning here") \
	X(PROTO_LEN, "wrong number of arguments") \
	X(PROTO_ARG, "an argument of the wrong type") \
	X(ARGS_MULTI, "args[] differ between the probes of the clause") \
	X(ARGS_NONE, "the probe has no args[]") \
	X(ARGS_IDX, "args[] has no such element") \
	X(REGS_IDX, "uregs[] has no such element") \
	X(KEY_TYPE, "a value of this type cannot be a key") \
	X(PRINTF_DYN_PROTO, "the argument for * is missing") \
	X(PRINTF_DYN_TYPE, "the argument for * is not an integer") \
	X(PRINTF_AGG_CONV, "%@ outside printa") \
	X(PRINTF_ARG_PROTO, "a conversion without its argument") \
	X(PRINTF_ARG_TYPE, "a conversion and its argument do not go together") \
	X(PRINTF_ARG_EXTRA, "more arguments than conversions") \
	X(PRINTF_ARG_FMT, "the format must be a string constant") \
	X(PRINTF_FMT_EMPTY, "the format is empty") \
	X(DECL_CHARATTR, "short or long with char") \
	X(DECL_VOIDATTR, "short, long, signed or unsigned with void") \
	X(DECL_SIGNINT, "signed or unsigned with something that is no integer") \
	X(DECL_LONGINT, "long with something that is no number") \
	X(DECL_CLASS, "more than one storage class") \
	X(DECL_BADCLASS, "a storage class that D does not have") \
	X(DECL_PARMCLASS, "a storage class on a parameter") \
	X(DECL_COMBO, "type words that do not go together") \
	X(DECL_ARRSUB, "an array size that is no positive constant") \
	X(DECL_ARRNULL, "an array without a size") \
	X(DECL_ARRBIG, "an array or structure that is too big") \
	X(DECL_IDRED, "the name is declared already") \
	X(DECL_TYPERED, "the type is declared already") \
	X(DECL_MNAME, "a member without a name") \
	X(DECL_SCOPE, "a backquote in a declared name") \
	X(DECL_BFCONST, "a bit-field's width is no positive constant") \
	X(DECL_BFSIZE, "a bit-field wider than its type") \
	X(DECL_BFTYPE, "a bit-field of a type that is no integer") \
	X(DECL_ENCONST, "an enumerator's value is no constant") \
	X(DECL_ENOFLOW, "an enumerator that does not fit in int") \
	X(DECL_USELESS, "a declaration that declares nothing") \
	X(DECL_LOCASSC, "a clause-local associative array") \
	X(DECL_VOIDOBJ, "a variable, member or element of type void") \
	X(DECL_DYNOBJ, "an associative array where none can be") \
	X(DECL_INCOMPLETE, "the type's body was not seen yet") \
	X(DECL_FUNCRET, "a function that returns an array or a function") \
	X(DECL_FUNCTYPE, "a function type where none can be") \
	X(DECL_PROTO_VARARGS, "... where it cannot be") \
	X(DECL_PROTO_TYPE, "a parameter of a type that cannot be one") \
	X(DECL_PROTO_VOID, "void beside other parameters") \
	X(DECL_PROTO_NAME, "a named void parameter, or a parameter without a name") \
	X(DECL_PROTO_FORM, "a parameter's name is given twice or is not known") \
	X(COMM_COMM, "commit() after commit()") \
	X(COMM_DREC, "commit() after an action that records data") \
	X(SPEC_SPEC, "speculate() after speculate()") \
	X(SPEC_COMM, "speculate() after commit()") \
	X(SPEC_DREC, "speculate() after an action that records data") \
	X(AGG_COMM, "an aggregation after commit()") \
	X(AGG_SPEC, "an aggregation after speculate()") \
	X(AGG_NULL, "the statement does nothing with the aggregation") \
	X(AGG_SCALAR, "the aggregating function needs a number") \
	X(ACT_SPEC, "a destructive action after speculate()") \
	X(EXIT_SPEC, "exit() after speculate()") \
	X(DREC_COMM, "an action that records data after commit()") \
	X(PRINTA_PROTO, "wrong arguments of printa()") \
	X(PRINTA_AGGARG, "printa() needs an aggregation") \
	X(PRINTA_AGGBAD, "printa() of an aggregation that is never filled") \
	X(PRINTA_AGGKEY, "the aggregations of printa() have different keys") \
	X(PRINTA_AGGPROTO, "the format and the aggregation of printa() do not go together") \
	X(TRACE_VOID, "trace() of nothing") \
	X(TRACE_DYN, "trace() of a value whose type is not known") \
	X(PRINT_VOID, "print() of nothing") \
	X(PRINT_DYN, "print() of a value whose type is not known") \
	X(TRACEMEM_ADDR, "tracemem() needs an address") \
	X(TRACEMEM_SIZE, "tracemem() needs a constant size") \
	X(TRACEMEM_ARGS, "wrong arguments of tracemem()") \
	X(TRACEMEM_DYNSIZE, "the third argument of tracemem() must be an integer") \
	X(STACK_PROTO, "wrong arguments of stack()") \
	X(STACK_SIZE, "the size of stack() must be a positive constant") \
	X(USTACK_FRAMES, "the frames of ustack() must be a positive constant") \
	X(USTACK_STRSIZE, "the string size of ustack() must be a constant") \
	X(USTACK_PROTO, "wrong arguments of ustack()") \
	X(LQUANT_BASETYPE, "the base of lquantize() must be a constant") \
	X(LQUANT_BASEVAL, "the base of lquantize() does not fit in 32 bits") \
	X(LQUANT_LIMTYPE, "the limit of lquantize() must be a constant") \
	X(LQUANT_LIMVAL, "the limit of lquantize() does not fit in 32 bits") \
	X(LQUANT_MISMATCH, "the limit of lquantize() must be above its base") \
	X(LQUANT_STEPTYPE, "the step of lquantize() must be a positive constant") \
	X(LQUANT_STEPVAL, "the step of lquantize() does not fit in 16 bits") \
	X(LQUANT_STEPLARGE, "the step of lquantize() is larger than its range") \
	X(LQUANT_STEPSMALL, "the step of lquantize() makes too many levels") \
	X(LQUANT_MATCHBASE, "another base than at the first use of the aggregation") \
	X(LQUANT_MATCHLIM, "another limit than at the first use of the aggregation") \
	X(LQUANT_MATCHSTEP, "another step than at the first use of the aggregation") \
	X(LLQUANT_FACTORTYPE, "the factor of llquantize() must be a constant") \
	X(LLQUANT_FACTORVAL, "the factor of llquantize() is out of range") \
	X(LLQUANT_LMAGTYPE, "the low magnitude of llquantize() must be a constant") \
	X(LLQUANT_LMAGVAL, "the low magnitude of llquantize() is out of range") \
	X(LLQUANT_HMAGTYPE, "the high magnitude of llquantize() must be a constant") \
	X(LLQUANT_HMAGVAL, "the high magnitude of llquantize() is out of range") \
	X(LLQUANT_STEPTYPE, "the steps of llquantize() must be a constant") \
	X(LLQUANT_STEPVAL, "the steps of llquantize() are out of range") \
	X(LLQUANT_MATCHFACTOR, "another factor than at the first use of the aggregation") \
	X(LLQUANT_MATCHLMAG, "another low magnitude than at the first use of the aggregation") \
	X(LLQUANT_MATCHHMAG, "another high magnitude than at the first use of the aggregation") \
	X(LLQUANT_MATCHSTEPS, "other steps than at the first use of the aggregation") \
	X(CLEAR_PROTO, "wrong arguments of clear()") \
	X(CLEAR_AGGARG, "clear() needs an aggregation") \
	X(CLEAR_AGGBAD, "clear() of an aggregation that is never filled") \
	X(NORMALIZE_PROTO, "wrong arguments of normalize()") \
	X(NORMALIZE_SCALAR, "normalize() needs a number") \
	X(NORMALIZE_AGGARG, "normalize() needs an aggregation") \
	X(NORMALIZE_AGGBAD, "normalize() of an aggregation that is never filled") \
	X(TRUNC_PROTO, "wrong arguments of trunc()") \
	X(TRUNC_SCALAR, "trunc() needs a number") \
	X(TRUNC_AGGARG, "trunc() needs an aggregation") \
	X(TRUNC_AGGBAD, "trunc() of an aggregation that is never filled") \
	X(PROV_BADNAME, "a provider cannot be named so") \
	X(PROV_INCOMPAT, "the provider differs from the one that exists") \
	X(PROV_PRDUP, "the probe is defined twice") \
	X(PROV_PRARGLEN, "too many probe arguments") \
	X(PROV_PRXLATOR, "no translator for a probe argument") \
	X(FREOPEN_INVALID, "freopen() needs the name of a file") \
	X(ALERT_AGG, "an alert is about an aggregation that is never filled") \
	X(ALERT_FUNC, "an alert's function does not exist, or does not fit the aggregation") \
	X(ALERT_LIMIT, "an alert's limit or time is not a constant, or out of range")

/* Tags of symbols, typed arguments and processes. They come up only where the kernel engine runs. */
#define ET_TAGS_KERNEL(X) \
	X(SYM_BADREF, "a kernel or program symbol cannot be used so") \
	X(SYM_NOTYPES, "nothing is known of the symbol's type") \
	X(SYM_MODEL, "the symbol is of another data model") \
	X(ARGS_XLATOR, "no translator for this element of args[]") \
	X(ARGS_TYPE, "the element of args[] has no usable type") \
	X(PROC_OFF, "an offset outside the function") \
	X(PROC_ALIGN, "an offset that is not at an instruction") \
	X(PROC_NAME, "no such probe in a process") \
	X(PROC_GRAB, "the process could not be taken hold of") \
	X(PROC_DYN, "the process is not dynamically linked") \
	X(PROC_LIB, "no such library in the process") \
	X(PROC_FUNC, "no such function in the process") \
	X(PROC_CREATEFAIL, "the probe in the process could not be made") \
	X(PROC_NODEV, "what probes in processes need is missing") \
	X(PROC_BADPID, "no such process") \
	X(PROC_BADPROV, "the provider cannot probe processes") \
	X(PROC_USDT, "the process's own probes could not be read")
/* clang-format on */

/* Returns whether `tag` ("D_SYNTAX") is in the table. */
bool tag_known(const char *tag);

#endif

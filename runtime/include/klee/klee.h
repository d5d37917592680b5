/* The calls by which a program talks to the engine, with KLEE's names and signatures: programs written for KLEE
 * compile unchanged. Natively they are answered by runtime/replay/replay.c. */

#ifndef KLEE_H
#define KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Inputs. A null name means "unnamed". ---- */

/* Makes all nbytes bytes of the object at addr symbolic. */
void klee_make_symbolic(void *addr, size_t nbytes, const char *name);

/* A symbolic int: any, or one with begin <= value < end. */
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name);

/* A symbolic value below n. */
uintptr_t klee_choose(uintptr_t n);

/* Goes on only with inputs that make the condition true. */
void klee_assume(uintptr_t condition);

/* Asks for the condition to hold in this object's test values, where the path allows it. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);

/* ---- Endings of a path ---- */

/* Reports an error of the program: message at file:line, kind given by suffix. */
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message, const char *suffix);

/* Ends the path without a test. */
__attribute__((noreturn)) void klee_silent_exit(int status);

__attribute__((noreturn)) void klee_abort(void);

/* The C library's function, under another name: libraries differ in the types of its declaration. */
__attribute__((noreturn)) void __espalier_assert_fail(const char *assertion, const char *file, unsigned int line,
                                                      const char *function) __asm__("__assert_fail");

/* An assertion that NDEBUG does not switch off. */
#define klee_assert(expr) ((expr) ? (void)0 : __espalier_assert_fail(#expr, __FILE__, __LINE__, __PRETTY_FUNCTION__))

/* ---- Questions to the engine ---- */

unsigned klee_is_symbolic(uintptr_t n);

/* 1 in a native replay, 0 under the engine. */
unsigned klee_is_replay(void);

/* One possible value of the argument, to which the path is then restricted. */
float klee_get_valuef(float expr);
double klee_get_valued(double expr);
long klee_get_valuel(long expr);
long long klee_get_valuell(long long expr);
int32_t klee_get_value_i32(int32_t expr);
int64_t klee_get_value_i64(int64_t expr);

size_t klee_get_obj_size(void *ptr);
int klee_get_errno(void);

/* An error unless all of [address, address + size) is accessible and in one object. */
void klee_check_memory_access(const void *address, size_t size);

/* ---- Control of the engine ---- */

/* Declares that memory exists at a fixed address, for example of a device. */
void klee_define_fixed_object(void *addr, size_t nbytes);

/* Marks an object that all paths share. */
void klee_mark_global(void *object);

/* From now on calls of fn_name go to new_fn_name. */
void klee_alias_function(const char *fn_name, const char *new_fn_name);

/* With 0, a path that would fork follows one side only. */
void klee_set_forking(unsigned enable);

/* Paths forked between the two are merged at the second. */
void klee_open_merge(void);
void klee_close_merge(void);

/* Older form: a point at which paths may be merged. */
void klee_merge(void);

/* ---- Output ---- */

void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_print_expr(const char *msg, ...);
void klee_print_range(const char *name, int arg);
void klee_stack_trace(void);

#ifdef __cplusplus
}
#endif

#endif

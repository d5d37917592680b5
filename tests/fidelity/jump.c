/* setjmp.h: what comes back, through frames between. */

#include "cases.h"
#include <setjmp.h>

#undef setjmp
int setjmp(jmp_buf) __attribute__((returns_twice));
int _setjmp(jmp_buf) __attribute__((returns_twice));
int __sigsetjmp(jmp_buf, int) __attribute__((returns_twice));
void longjmp(jmp_buf, int) __attribute__((noreturn));
void _longjmp(jmp_buf, int) __attribute__((noreturn));
void siglongjmp(jmp_buf, int) __attribute__((noreturn));
void __longjmp_chk(jmp_buf, int) __attribute__((noreturn));

static jmp_buf buffer;
static const int results[] = {0, 1, 2, -1, INT_MIN, INT_MAX};

static void deep(void (*jump)(jmp_buf, int), int result, int depth) {
    if (depth)
        deep(jump, result, depth - 1);
    else
        jump(buffer, result);
}

#define JUMP(name, set, jump)                                                                                          \
    CASES(name) {                                                                                                      \
        EACH(result, results) for (volatile int depth = 0; depth < 3; depth++) {                                       \
            volatile int before = 5;                                                                                   \
            int back = set;                                                                                            \
            number((uint64_t)before);                                                                                  \
            value((uint64_t)back);                                                                                     \
            if (before == 5) {                                                                                         \
                before = 6;                                                                                            \
                deep(jump, result, depth);                                                                             \
            }                                                                                                          \
        }                                                                                                              \
    }

JUMP(setjmp, setjmp(buffer), longjmp)
JUMP(_setjmp, _setjmp(buffer), longjmp)
#ifndef NATIVE
#undef sigsetjmp
int sigsetjmp(jmp_buf, int) __attribute__((returns_twice));
#endif

JUMP(sigsetjmp, sigsetjmp(buffer, 0), siglongjmp)
JUMP(__sigsetjmp, __sigsetjmp(buffer, 0), siglongjmp)
JUMP(longjmp, _setjmp(buffer), longjmp)
JUMP(_longjmp, _setjmp(buffer), _longjmp)
JUMP(siglongjmp, __sigsetjmp(buffer, 1), siglongjmp)
JUMP(__longjmp_chk, _setjmp(buffer), __longjmp_chk)

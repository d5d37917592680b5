// What every generated program begins with. Built with NATIVE, a program is run on all its inputs and tells which claims each of them
// reaches; otherwise inputs are symbolic, and claims are errors and calls of `hit`.

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef NATIVE

enum { MOST_INPUTS = 64, MOST_HANDLERS = 4, MOST_RUNS = 20000 };

// Outside of the program's own data, which is put back after each run.
struct driver {
  int asked, given, ended;
  unsigned hits;
  int registered;
  void (*handlers[MOST_HANDLERS])(void);
  int low[MOST_INPUTS], range[MOST_INPUTS], choice[MOST_INPUTS];
  jmp_buf out;
};
static struct driver *driver;

static int input(int low, int high) {
  int number = driver->asked++;
  if (number == MOST_INPUTS)
    exit(9);
  if (number >= driver->given)
    driver->choice[number] = 0;
  driver->low[number] = low;
  driver->range[number] = high - low;
  return low + driver->choice[number];
}

static void ended(int claim) {
  driver->ended = claim;
  longjmp(driver->out, 1);
}

static void quit(void) {
  while (driver->registered > 0)
    driver->handlers[--driver->registered]();
  longjmp(driver->out, 1);
}

#define QUIT() quit()
#define ATEXIT(handler) (driver->handlers[driver->registered++] = (handler))
#define ASSUME(condition) ((condition) ? (void)0 : ended(-1))
#define IN(low, high) input(low, high)
#define CHAR_IN(low, high) ((char)input(low, high))
#define BYTE_IN() ((unsigned char)input(0, 256))
#define HIT(claim) (driver->hits |= 1u << (claim))
#define ERR(claim) ended(claim)
#define ASSERT(claim, condition) ((condition) ? (void)0 : ended(claim))
#define AT(claim, array, length, index)                                                                                          \
  (*({                                                                                                                           \
    long at_ = (index);                                                                                                          \
    if (at_ < 0 || at_ >= (long)(length))                                                                                        \
      ended(claim);                                                                                                              \
    (array) + at_;                                                                                                               \
  }))
#define DIVISOR(claim, value)                                                                                                    \
  ({                                                                                                                             \
    int divisor_ = (value);                                                                                                      \
    if (divisor_ == 0)                                                                                                           \
      ended(claim);                                                                                                              \
    divisor_;                                                                                                                    \
  })
#define POINTEE(claim, pointer)                                                                                                  \
  (*({                                                                                                                           \
    __typeof__(pointer) pointer_ = (pointer);                                                                                    \
    if (!pointer_)                                                                                                               \
      ended(claim);                                                                                                              \
    pointer_;                                                                                                                    \
  }))

#else

#include <klee/klee.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern unsigned char __VERIFIER_nondet_uchar(void);

static char char_input(char low, char high) {
  char c;
  klee_make_symbolic(&c, sizeof c, "in");
  klee_assume(c >= low);
  klee_assume(c < high);
  return c;
}

void hit(void) {}

#define QUIT() exit(0)
#define ATEXIT(handler) atexit(handler)
#define ASSUME(condition) __VERIFIER_assume(condition)
#define IN(low, high) klee_range(low, high, "in")
#define CHAR_IN(low, high) char_input(low, high)
#define BYTE_IN() __VERIFIER_nondet_uchar()
#define HIT(claim) hit()
#define ERR(claim) reach_error()
#define ASSERT(claim, condition) assert(condition)
#define AT(claim, array, length, index) ((array)[index])
#define DIVISOR(claim, value) (value)
#define POINTEE(claim, pointer) (*(pointer))

#endif

// What programs share.
static const double REALS[] = {0.0,  -0.0,     1.0,      -1.5,     0.1,   3.0,    1e10,     -1e-10, INFINITY, -INFINITY,
                               NAN,  1.7976931348623157e308, 5e-324,   1e308,    2.5,   -7.25,  16777217, 0.5,    1024.0,   -0.75};

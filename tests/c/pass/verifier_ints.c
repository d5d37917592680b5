// Tests __VERIFIER_nondet_* of every integer type: each covers its full range and no more.
// paths: 1
#include <assert.h>
#include <limits.h>
#include <stddef.h>

extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern size_t __VERIFIER_nondet_size_t(void);

int main(void) {
  int c = __VERIFIER_nondet_char();
  assert(c >= CHAR_MIN && c <= CHAR_MAX);
  int uc = __VERIFIER_nondet_uchar();
  assert(uc >= 0 && uc <= UCHAR_MAX);
  int s = __VERIFIER_nondet_short();
  assert(s >= SHRT_MIN && s <= SHRT_MAX);
  int us = __VERIFIER_nondet_ushort();
  assert(us >= 0 && us <= USHRT_MAX);
  long i = __VERIFIER_nondet_int();
  assert(i >= INT_MIN && i <= INT_MAX);
  long ui = __VERIFIER_nondet_uint();
  assert(ui >= 0 && ui <= UINT_MAX);
  long l = __VERIFIER_nondet_long();
  assert(l - l == 0);
  unsigned long ul = __VERIFIER_nondet_ulong();
  assert((ul | 1) >= ul);
  long long ll = __VERIFIER_nondet_longlong();
  assert((ll & 1) <= 1);
  unsigned long long ull = __VERIFIER_nondet_ulonglong();
  assert((ull & 255) < 256);
  size_t z = __VERIFIER_nondet_size_t();
  assert(z % 2 < 2);
  return 0;
}

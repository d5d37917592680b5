// Tests that values from __VERIFIER_nondet_* are symbolic: both outcomes of each test are explored.
// paths: 16
extern char __VERIFIER_nondet_char(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = 0;
  if (__VERIFIER_nondet_char() < 0)
    n++;
  if (__VERIFIER_nondet_ushort() > 40000)
    n++;
  if (__VERIFIER_nondet_ulong() > 1ul << 50)
    n++;
  if (__VERIFIER_nondet_int() == -1)
    n++;
  return n > 4;
}

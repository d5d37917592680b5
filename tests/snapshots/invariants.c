extern int __VERIFIER_nondet_int(void);
int a[100];
unsigned total;

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0)
    return 1;
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += 2;
    for (int j = 0; j < 10; j++)
      total++;
  }
  for (int i = 0; i < 100; i++)
    a[i] = i;
  while (n > 0) {
    n--;
    s -= 2;
  }
  return s;
}

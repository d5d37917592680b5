// The median of five readings by counting smaller ones: some reading always is it, and it lies between two others.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define N 5

int main(void) {
  unsigned char a[N];
  for (int i = 0; i < N; i++)
    a[i] = __VERIFIER_nondet_uchar();
  int median = -1;
  for (int i = 0; i < N; i++) {
    int smaller = 0, equal = 0;
    for (int j = 0; j < N; j++) {
      if (a[j] < a[i])
        smaller++;
      else if (a[j] == a[i])
        equal++;
    }
    if (smaller <= N / 2 && smaller + equal > N / 2) {
      median = a[i];
      break;
    }
  }
  if (median < 0)
    reach_error(); // expect: unreachable
  if (median == 200 && a[0] == 3 && a[1] == 255)
    reach_error(); // expect: reachable
  if (median == 9 && a[0] > 9 && a[1] > 9 && a[2] > 9)
    reach_error(); // expect: unreachable
  if (median == a[4])
    reach_error(); // expect: reachable
  return 0;
}

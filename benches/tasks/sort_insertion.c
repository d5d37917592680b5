// Insertion sort of five inputs: the result is ordered and has every value as often as before.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

#define N 5

static void insertion_sort(int *a, int n) {
  for (int i = 1; i < n; i++) {
    int value = a[i];
    int j = i - 1;
    while (j >= 0 && a[j] > value) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = value;
  }
}

int main(void) {
  int a[N];
  int value = __VERIFIER_nondet_int();
  int count = 0;
  for (int i = 0; i < N; i++) {
    a[i] = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= a[i] && a[i] <= 100);
    if (a[i] == value)
      count++;
  }
  insertion_sort(a, N);
  for (int i = 1; i < N; i++)
    if (a[i - 1] > a[i])
      reach_error(); // expect: unreachable
  for (int i = 0; i < N; i++)
    if (a[i] == value)
      count--;
  if (count != 0)
    reach_error(); // expect: unreachable
  if (a[0] == 10 && a[2] == 20 && a[4] == 30)
    reach_error(); // expect: reachable
  if (a[0] == a[4])
    reach_error(); // expect: reachable
  return 0;
}

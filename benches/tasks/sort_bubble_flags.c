// Bubble sort of fixed numbers where an input decides at each comparison whether it is done at all: a sort with missing steps.
// The multiset of the numbers is kept, and the sort may fail.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define N 7

int main(void) {
  int a[N] = {5, 3, 6, 1, 4, 7, 2};
  int swaps = 0;
  for (int round = 0; round < N - 1; round++) {
    for (int i = 0; i + 1 < N - round; i++) {
      if (__VERIFIER_nondet_bool() && a[i] > a[i + 1]) {
        int t = a[i];
        a[i] = a[i + 1];
        a[i + 1] = t;
        swaps++;
      }
    }
  }
  int seen = 0;
  for (int i = 0; i < N; i++)
    seen |= 1 << a[i];
  if (seen != 0xfe)
    reach_error(); // expect: unreachable
  if (swaps > 11) // the number of inversions
    reach_error(); // expect: unreachable
  if (swaps == 11 && a[0] != 1)
    reach_error(); // expect: unreachable
  if (swaps == 10 && a[6] == 7)
    reach_error(); // expect: reachable
  if (swaps == 11)
    reach_error(); // expect: reachable
  if (swaps == 0)
    reach_error(); // expect: reachable
  return 0;
}

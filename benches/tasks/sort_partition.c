// A partition by a pivot as in quicksort, with only the outcome of each comparison nondeterministic, for 40 items.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 40

int main(void) {
  int low = 0, high = N - 1;
  int smaller = 0, larger = 0;
  while (low <= high) {
    int order = __VERIFIER_nondet_int(); // of the item at low and the pivot
    if (order < 0) {
      smaller++;
      low++;
    } else {
      larger++;
      high--;
    }
  }
  if (smaller + larger != N)
    reach_error(); // expect: unreachable
  if (low != high + 1)
    reach_error(); // expect: unreachable
  if (low < 0 || low > N)
    reach_error(); // expect: unreachable
  if (low == N)
    reach_error(); // expect: reachable
  if (low == 0)
    reach_error(); // expect: reachable
  if (low == 13)
    reach_error(); // expect: reachable
  return 0;
}

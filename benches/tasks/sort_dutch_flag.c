// The Dutch national flag: twelve cells of three colours are sorted in one pass; counts of the colours are kept.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 12

int main(void) {
  int a[N];
  int count[3] = {0, 0, 0};
  for (int i = 0; i < N; i++) {
    switch (__VERIFIER_nondet_int()) {
    case 0: a[i] = 0; break;
    case 1: a[i] = 1; break;
    default: a[i] = 2; break;
    }
    count[a[i]]++;
  }
  int low = 0, middle = 0, high = N - 1;
  while (middle <= high) {
    if (a[middle] == 0) {
      a[middle] = a[low];
      a[low] = 0;
      low++;
      middle++;
    } else if (a[middle] == 1) {
      middle++;
    } else {
      a[middle] = a[high];
      a[high] = 2;
      high--;
    }
  }
  for (int i = 1; i < N; i++)
    if (a[i - 1] > a[i])
      reach_error(); // expect: unreachable
  if (low != count[0] || N - 1 - high != count[2])
    reach_error(); // expect: unreachable
  return 0;
}

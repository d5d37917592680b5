// Merging two runs of increasing numbers whose gaps the inputs choose: the result of 36 numbers stays ordered.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define N 18

int main(void) {
  int a[N], b[N], out[2 * N];
  int next = 0;
  for (int i = 0; i < N; i++) {
    next += __VERIFIER_nondet_bool() ? 1 : 2;
    a[i] = next;
  }
  next = 5;
  for (int i = 0; i < N; i++) {
    next += 1;
    b[i] = next;
  }
  int i = 0, j = 0, k = 0;
  while (i < N || j < N) {
    if (j == N || (i < N && a[i] <= b[j]))
      out[k++] = a[i++];
    else
      out[k++] = b[j++];
  }
  for (k = 1; k < 2 * N; k++)
    if (out[k - 1] > out[k])
      reach_error(); // expect: unreachable
  if (out[0] > 2)
    reach_error(); // expect: unreachable
  if (out[2 * N - 1] == 36)
    reach_error(); // expect: reachable
  if (out[2 * N - 1] < 23)
    reach_error(); // expect: unreachable
  if (out[5] == 6)
    reach_error(); // expect: reachable
  return 0;
}

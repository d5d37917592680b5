// Counting sort's histogram of 48 items of three kinds: the counts add up, and the offsets they give are in order.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 48

int main(void) {
  int count[3] = {0, 0, 0};
  for (int i = 0; i < N; i++) {
    int item = __VERIFIER_nondet_int();
    if (item < 0)
      count[0]++;
    else if (item == 0)
      count[1]++;
    else
      count[2]++;
  }
  int offset[4];
  offset[0] = 0;
  for (int k = 0; k < 3; k++)
    offset[k + 1] = offset[k] + count[k];
  if (offset[3] != N)
    reach_error(); // expect: unreachable
  if (offset[2] < offset[1])
    reach_error(); // expect: unreachable
  if (offset[1] == N)
    reach_error(); // expect: reachable
  if (count[1] == 16 && count[2] == 16)
    reach_error(); // expect: reachable
  return 0;
}

// Binary search in a table of 64 increasing entries for an arbitrary key: it finds what is there, and nothing else.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 64

static int table[N];

static int find(int key) {
  int low = 0, high = N - 1;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (table[middle] == key)
      return middle;
    if (table[middle] < key)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -1;
}

int main(void) {
  for (int i = 0; i < N; i++)
    table[i] = 3 * i + 7;
  int key = __VERIFIER_nondet_int();
  int place = find(key);
  if (place >= N)
    reach_error(); // expect: unreachable
  if (place >= 0 && 3 * place + 7 != key)
    reach_error(); // expect: unreachable
  if (place < 0 && key >= 7 && key < 7 + 3 * N && key % 3 == 1)
    reach_error(); // expect: unreachable
  if (place == 41)
    reach_error(); // expect: reachable
  if (place < 0 && key == 101)
    reach_error(); // expect: reachable
  return 0;
}

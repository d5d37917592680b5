// Queens on a small board: the search places one queen a row, at columns that the inputs choose, and gives up when two attack each other.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 6

static int column[N];

static int attacked(int row, int c) {
  for (int r = 0; r < row; r++) {
    int d = row - r;
    if (column[r] == c || column[r] == c + d || column[r] == c - d)
      return 1;
  }
  return 0;
}

static int place(int row) {
  if (row == N)
    return 1;
  int wanted = __VERIFIER_nondet_int();
  for (int c = 0; c < N; c++) {
    if (wanted == c) {
      if (attacked(row, c))
        return 0;
      column[row] = c;
      return place(row + 1);
    }
  }
  return 0;
}

int main(void) {
  if (!place(0))
    return 1;
  if (column[0] == 0) // no solution has a queen in a corner
    reach_error(); // expect: unreachable
  if (column[N - 1] == N - 1)
    reach_error(); // expect: unreachable
  if (column[0] == 3 && column[1] == 0)
    reach_error(); // expect: reachable
  if (column[0] == 2 && column[2] == 1)
    reach_error(); // expect: reachable
  return 0;
}

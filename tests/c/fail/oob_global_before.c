// Tests a read before a global array by a loop that counts down too far.
// paths: 0

static int v[3] = {1, 2, 3};

int main(void) {
  int sum = 0;
  for (int i = 2; sum < 7; i--)
    sum += v[i]; //~ ptr: out of bounds
  return sum;
}

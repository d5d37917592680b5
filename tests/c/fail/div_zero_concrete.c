// Tests a concrete division by zero.
// paths: 0

static int per(int total, int parts) {
  return total / parts; //~ div: division by zero
}

int main(void) {
  int used = 3, limit = 3;
  return per(100, limit - used);
}

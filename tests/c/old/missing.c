// What is not passed can be anything: neither an error nor a proof.
// check: unknown
extern void reach_error(void);
int identity();

int main(void) {
  if (identity() == 1234567)
    reach_error();
  return 0;
}

int identity(x)
int x;
{
  return x;
}

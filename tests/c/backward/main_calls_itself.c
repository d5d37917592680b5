// The function that the program begins with is called by others.

void hit(void) {}

static int calls;
static void k(int x) {
  if (x == 7)
    hit(); // reachable
}
int main(int count, char **words);
static void f(int x) {
  if (x == 8)
    k(x);
  else
    main(x, 0);
}
int main(int count, char **words) {
  if (count == 5 && words == 0)
    k(7);
  else if (calls++ == 0)
    f(5);
  return 0;
}

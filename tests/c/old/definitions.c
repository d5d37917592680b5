// Parameters declared behind the list: narrow ones are passed as `int` and `double`.
extern int printf();

int mixed(c, f, s, p, u)
char c;
float f;
short s;
int *p;
unsigned char u;
{
  return c + (int)(f * 2) + s + *p + u;
}

double half(x)
float x;
{
  return x / 2;
}

struct pair {
  int x, y;
};

int sum(p)
struct pair p;
{
  return p.x * 10 + p.y;
}

int main(argc, argv)
int argc;
char **argv;
{
  int n = 7;
  struct pair pair;
  pair.x = 4;
  pair.y = 2;
  printf("%d %d\n", mixed(300, 1.75, 70000, &n, -1), mixed('a', 0.5, -3, &n, 255));
  printf("%.3f %d %d\n", half(5.0), sum(pair), untyped());
  return 0;
}

untyped() {
  return -1;
}

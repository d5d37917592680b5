// Globals of all kinds hold what the caller left there.

void hit(void) {}

static volatile int v;
static union {
  int number;
  float real;
  unsigned char bytes[4];
} u;
static _Thread_local int t;
static struct {
  unsigned low : 3, high : 5;
} fields;
static _Bool yes;
static enum { A, B } letter;
static double real;
static long double wide;
static __int128 huge;
static void f(_Bool b, signed char c, short s, long double w, __int128 h, float n) {
  if (v == 3 && u.real == 1 && u.bytes[3] == 0x3f && t == 5 && fields.low == 6 && fields.high == 19)
    hit(); // reachable
  if (yes && letter == B && real > 2 && wide < 3 && huge == (__int128)1 << 80)
    hit(); // reachable
  if (b && c == -3 && s == -9 && w == 2.5L && h == -huge && n != n)
    hit(); // reachable
}
int main(void) {
  v = 3;
  u.real = 1;
  t = 5;
  fields.low = 6;
  fields.high = 19;
  yes = 1;
  letter = B;
  real = 3;
  wide = 2.5L;
  huge = (__int128)1 << 80;
  f(1, -3, -9, wide, -huge, __builtin_nanf(""));
  return 0;
}

// Three nibbles are sent in a Hamming code of seven bits; at most one bit of each is flipped on the way and corrected.
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static unsigned bit(unsigned x, unsigned i) {
  return (x >> i) & 1u;
}

// The bits 1, 2 and 4 (from 1) are the checks.
static unsigned encode(unsigned n) {
  unsigned d1 = bit(n, 0), d2 = bit(n, 1), d3 = bit(n, 2), d4 = bit(n, 3);
  return (d1 ^ d2 ^ d4) | (d1 ^ d3 ^ d4) << 1 | d1 << 2 | (d2 ^ d3 ^ d4) << 3 | d2 << 4 | d3 << 5 | d4 << 6;
}

static unsigned syndrome(unsigned c) {
  unsigned s1 = bit(c, 0) ^ bit(c, 2) ^ bit(c, 4) ^ bit(c, 6);
  unsigned s2 = bit(c, 1) ^ bit(c, 2) ^ bit(c, 5) ^ bit(c, 6);
  unsigned s4 = bit(c, 3) ^ bit(c, 4) ^ bit(c, 5) ^ bit(c, 6);
  return s1 | s2 << 1 | s4 << 2;
}

int main(void) {
  unsigned flipped = 0, corrected = 0;
  for (int k = 0; k < 3; k++) {
    unsigned nibble = 0;
    for (unsigned i = 0; i < 4; i++)
      if (__VERIFIER_nondet_bool())
        nibble |= 1u << i;
    unsigned code = encode(nibble);
    if (syndrome(code) != 0)
      reach_error(); // expect: unreachable
    int wrong = __VERIFIER_nondet_int();
    for (int i = 0; i < 7; i++) {
      if (wrong == i) {
        code ^= 1u << i;
        flipped++;
      }
    }
    unsigned s = syndrome(code);
    if (s != 0) {
      code ^= 1u << (s - 1);
      corrected++;
    }
    unsigned received = bit(code, 2) | bit(code, 4) << 1 | bit(code, 5) << 2 | bit(code, 6) << 3;
    if (received != nibble)
      reach_error(); // expect: unreachable
  }
  if (flipped != corrected)
    reach_error(); // expect: unreachable
  if (corrected == 3)
    reach_error(); // expect: reachable
  if (corrected == 0)
    reach_error(); // expect: reachable
  return 0;
}

// A CRC of eight bits over a message of one byte and its own checksum is zero; only the zero byte has checksum zero.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static unsigned char crc_byte(unsigned char crc, unsigned char byte) {
  crc ^= byte;
  for (int i = 0; i < 8; i++) {
    if (crc & 0x80)
      crc = (unsigned char)((crc << 1) ^ 0x07);
    else
      crc = (unsigned char)(crc << 1);
  }
  return crc;
}

int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar();
  unsigned char crc = crc_byte(0, a);
  if (crc_byte(crc, crc) != 0)
    reach_error(); // expect: unreachable
  if (crc == 0x31)
    reach_error(); // expect: reachable
  if (crc == 0 && a != 0)
    reach_error(); // expect: unreachable
  if (crc == 0xff)
    reach_error(); // expect: reachable
  return 0;
}

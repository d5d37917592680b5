// zlib's inflate on any SIZE bytes of raw deflate data: the counters it keeps agree with each other, it writes nothing after the output
// buffer, and it gives the same output for the bytes one at a time as for all at once. The first never has enough bytes for the fast
// decoder, inflate_fast; the second has from 6 bytes on.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

#include "zlib.h"

#ifndef SIZE
#define SIZE 4
#endif
// inflate_fast needs 258 bytes of room.
#define ROOM 300
#define GUARD 4

struct result {
  unsigned char output[ROOM + GUARD];
  unsigned long length;
  int code;
};

// Inflates `size` bytes, `step` at a time.
static void run(const unsigned char *input, unsigned size, unsigned step, struct result *result) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  memset(result->output, 0xAA, sizeof result->output);
  assert(inflateInit2(&stream, -15) == Z_OK);
  stream.next_out = result->output;
  stream.avail_out = ROOM;

  result->code = Z_OK;
  for (unsigned at = 0; at < size && result->code == Z_OK; at += step) {
    stream.next_in = (unsigned char *)input + at;
    stream.avail_in = step;
    result->code = inflate(&stream, Z_NO_FLUSH);
    assert(stream.avail_in <= step);
    assert(stream.next_in == input + at + step - stream.avail_in);
    assert(stream.total_in == at + step - stream.avail_in);
    // It stops early only if there is no more room.
    assert(result->code != Z_OK || stream.avail_in == 0 || stream.avail_out == 0);
    if (stream.avail_in != 0)
      break;
  }
  assert(result->code == Z_OK || result->code == Z_STREAM_END || result->code == Z_DATA_ERROR || result->code == Z_BUF_ERROR);
  assert(stream.avail_out <= ROOM);
  assert(stream.total_out == ROOM - stream.avail_out);
  assert(stream.next_out == result->output + stream.total_out);
  for (unsigned i = ROOM; i < ROOM + GUARD; i++)
    assert(result->output[i] == 0xAA);
  result->length = stream.total_out;
  assert(inflateEnd(&stream) == Z_OK);
}

int main(void) {
  static struct result whole, parts;
  unsigned char input[SIZE];
  klee_make_symbolic(input, sizeof input, "input");

  run(input, SIZE, SIZE, &whole);
  run(input, SIZE, 1, &parts);

  assert(whole.length == parts.length);
  assert(memcmp(whole.output, parts.output, ROOM) == 0);
  assert((whole.code == Z_STREAM_END) == (parts.code == Z_STREAM_END));
  assert((whole.code == Z_DATA_ERROR) == (parts.code == Z_DATA_ERROR));
  return 0;
}

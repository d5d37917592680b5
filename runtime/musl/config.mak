# Read by musl's Makefile in place of what its configure writes. CC and AR come from scripts/libc.sh.

ARCH = espalier
RANLIB = :
CFLAGS_AUTO =
CFLAGS = -emit-llvm -g -O1 -fno-pic -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -fno-builtin \
	-ffp-contract=off -fno-stack-protector -fno-asynchronous-unwind-tables -w -fdebug-compilation-dir=musl

# Without GNU C, strlen and its like do not read whole words, which may lie partly outside an object.
obj/src/string/%.o obj/src/multibyte/mbsrtowcs.o: CFLAGS_ALL += -U__GNUC__

# Its branches must stay branches. Where they become `select`s, the ends of its table of digits depend on input, and each
# access there is one to the whole table; and a shift that is done before the test `n > 30` counts as an overshift.
obj/src/internal/floatscan.o: CFLAGS_ALL += -O0 -Xclang -disable-O0-optnone

# What our own libc has of glibc's checked functions, on top of musl's printf.
obj/src/fortify/fortify.o: CFLAGS_ALL += -D__espalier_format_text=vsnprintf

# The engine has these: the heap, the end of a path, assertions, jumps. Others are in our own files, or need assembly:
# threads, cancellation.
LEFT_OUT = $(filter-out %/reallocarray.o,$(filter obj/src/malloc/%,$(ALL_OBJS))) \
	obj/src/exit/abort.o obj/src/exit/assert.o obj/src/unistd/_exit.o \
	obj/src/errno/__errno_location.o obj/src/fcntl/fcntl.o obj/src/misc/ioctl.o obj/src/misc/syscall.o obj/src/linux/prctl.o \
	obj/src/fenv/fenv.o obj/src/fenv/fesetround.o \
	$(filter obj/src/setjmp/%,$(ALL_OBJS)) $(addprefix obj/src/signal/,siglongjmp.o sigsetjmp.o sigsetjmp_tail.o) \
	$(addprefix obj/src/env/,__libc_start_main.o __init_tls.o) \
	$(addprefix obj/src/thread/,__unmapself.o __set_thread_area.o __tls_get_addr.o clone.o pthread_cancel.o \
	pthread_create.o synccall.o syscall_cp.o tls.o)
AOBJS = $(filter-out $(LEFT_OUT),$(LIBC_OBJS))

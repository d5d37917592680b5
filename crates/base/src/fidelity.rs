//! The one table of every function, intrinsic and system call that Espalier answers for, with how
//! true its answers are.
//!
//! An answer can be exact; exact under a condition, which whoever answers watches over and notes on
//! the path where it fails; or approximate: with more behaviours than there are (`Over`: an error
//! that rests on it needs a native run), or with fewer (`Under`: no proof may rest on it). What is
//! not in the table taints every path that uses it. `cli/tests/fidelity.rs` holds each exact entry
//! against the machine's own library, and fails for an entry without cases.

use crate::control;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Something about the world that has one fixed answer here, and another in each real run.
/// `--fix-…` makes it a condition of the answer.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Topic {
    Clock,
    Process,
    System,
    Random,
    Environment,
    Input,
    Files,
    Status,
    Terminal,
    Locale,
    Signals,
    Addresses,
}

impl Topic {
    pub const ALL: [Topic; 12] = [
        Topic::Clock,
        Topic::Process,
        Topic::System,
        Topic::Random,
        Topic::Environment,
        Topic::Input,
        Topic::Files,
        Topic::Status,
        Topic::Terminal,
        Topic::Locale,
        Topic::Signals,
        Topic::Addresses,
    ];

    /// The word by which the models in C name it, and the end of its option.
    pub fn word(self) -> &'static str {
        match self {
            Topic::Clock => "clock",
            Topic::Process => "process",
            Topic::System => "system",
            Topic::Random => "random",
            Topic::Environment => "environment",
            Topic::Input => "input",
            Topic::Files => "files",
            Topic::Status => "status",
            Topic::Terminal => "terminal",
            Topic::Locale => "locale",
            Topic::Signals => "signals",
            Topic::Addresses => "addresses",
        }
    }

    pub fn named(word: &str) -> Option<Topic> {
        Topic::ALL.into_iter().find(|topic| topic.word() == word)
    }

    /// The option that makes it a condition.
    pub fn option(self) -> &'static str {
        match self {
            Topic::Clock => "fix-clock",
            Topic::Process => "fix-process",
            Topic::System => "fix-system",
            Topic::Random => "fix-random",
            Topic::Environment => "fix-environment",
            Topic::Input => "fix-input",
            Topic::Files => "fix-files",
            Topic::Status => "fix-status",
            Topic::Terminal => "fix-terminal",
            Topic::Locale => "fix-locale",
            Topic::Signals => "fix-signals",
            Topic::Addresses => "fix-addresses",
        }
    }
}

/// Who answers.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Provider {
    /// The executor (`exec::models::shims`).
    Engine,
    /// The C code that is linked into programs (`runtime/libc`).
    Library,
    /// The front end, for an intrinsic of LLVM (`frontend::lower`).
    Intrinsic,
    /// The model of the environment (`runtime/posix`).
    SystemCall,
}

/// In what respect answers are not those of a real system.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Inexactness {
    /// Where a function was called from is an unknown address.
    CallerAddress,
    /// The model lacks it, and the call fails or changes nothing.
    NotInModel,
}

/// How true the answers are. How that is said to people is in `report::approximation_text`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Fidelity {
    Exact,
    /// Exact while this holds, which is for the readers of the table; where it does not, the path
    /// says so.
    ExactIf(&'static str),
    /// More behaviours than there are, in this respect.
    Over(Inexactness),
    /// One fixed answer of several that there are.
    Under(Topic),
    /// The same, but its own code says so where it gives that answer.
    Says(Topic),
    /// Both more and fewer, in this respect.
    Both(Inexactness),
}

#[derive(Copy, Clone, Debug)]
pub struct Entry {
    pub name: &'static str,
    pub provider: Provider,
    pub fidelity: Fidelity,
}

/// Names of one provider that share a fidelity.
struct Row(Provider, Fidelity, &'static str);

/// Every entry.
pub fn entries() -> impl Iterator<Item = Entry> {
    let jumps_and_errors = control::provided().map(|name| Entry { name, provider: Engine, fidelity: Exact });
    let rows = TABLE.iter().flat_map(|Row(provider, fidelity, names)| {
        names.split_whitespace().map(|name| Entry { name, provider: *provider, fidelity: *fidelity })
    });
    jumps_and_errors.chain(rows)
}

thread_local! {
    /// The entries by name. Each thread has its own: a child process that reads bitcode must not
    /// wait for a thread that it has not.
    static BY_NAME: HashMap<(Provider, &'static str), Fidelity> =
        entries().map(|entry| ((entry.provider, entry.name), entry.fidelity)).collect();
}

/// The entry of a provider with this name.
pub(crate) fn of(provider: Provider, name: &str) -> Option<Fidelity> {
    BY_NAME.with(|entries| entries.get(&(provider, name)).copied())
}

/// How true the answers of the function with this name are, if we answer for it.
pub fn of_function(name: &str) -> Option<Fidelity> {
    let family = || FAMILIES.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|(_, fidelity)| *fidelity);
    of(Provider::Engine, name).or_else(|| of(Provider::Library, name)).or_else(family)
}

/// How true an intrinsic is, without its `llvm.` and the types at its end.
pub fn of_intrinsic(name: &str) -> Option<Fidelity> {
    let is_of_family = || INTRINSIC_FAMILIES.iter().any(|family| name.starts_with(family));
    of(Provider::Intrinsic, name).or_else(|| is_of_family().then_some(Exact))
}

use Fidelity::{Both, Exact, ExactIf, Over, Says, Under};
use Provider::{Engine, Intrinsic, Library, SystemCall};

/// Functions that are known by how their names begin: inputs, and our own.
const FAMILIES: &[(&str, Fidelity)] = &[
    ("__VERIFIER_nondet_", Exact),
    ("__espalier_", Exact),
    ("__ubsan_handle_", Exact),
    ("klee_get_value", ExactIf("the value does not depend on the input")),
];

/// Intrinsics that do to vectors, or under a stated rounding mode, what others do to numbers.
const INTRINSIC_FAMILIES: &[&str] = &["masked.", "vector.reduce.", "experimental.constrained."];

const MEMORY: Fidelity = ExactIf("memory suffices: requests over 64 GiB fail, others never do");
const GLIBC: Fidelity = ExactIf("the C library is glibc");
const CONVERSIONS: Fidelity = ExactIf("the conversions of the format are known ones");
const ONE_VALUE: Fidelity = ExactIf("the arguments do not depend on the input; else the path ends there");
const KNOWN_TEXT: Fidelity = ExactIf("strings that are printed do not depend on the input");

const TABLE: &[Row] = &[
    // ---- What the engine provides ----
    Row(
        Engine,
        Exact,
        "free memcpy memmove memset abort exit _exit _Exit quick_exit klee_make_symbolic klee_int \
         klee_range klee_choose klee_assume __VERIFIER_assume klee_abort klee_silent_exit \
         klee_report_error klee_prefer_cex klee_posix_prefer_cex klee_is_replay \
         klee_get_obj_size klee_check_memory_access klee_print_expr klee_print_range \
         klee_stack_trace klee_warning klee_warning_once klee_define_fixed_object \
         klee_get_errno klee_alias_function klee_open_merge klee_close_merge klee_merge \
         klee_mark_global klee_is_symbolic klee_set_forking fabs fabsf fabsl sqrt sqrtf floor \
         floorf ceil ceilf trunc truncf round roundf rint rintf nearbyint nearbyintf roundeven \
         roundevenf fmod fmodf fmin fminf fmax fmaxf copysign copysignf copysignl fma fmaf \
         lrint lrintf llrint llrintf lround lroundf llround llroundf isnan isnanf __isnan \
         __isnanf isinf isinff __isinf __isinff finite finitef __finite __finitef __signbit \
         __signbitf __fpclassify __fpclassifyf",
    ),
    Row(
        Engine,
        ONE_VALUE,
        "sqrtl floorl ceill truncl roundl rintl nearbyintl roundevenl fmodl fminl fmaxl fmal \
         lrintl llrintl lroundl llroundl isnanl __isnanl isinfl __isinfl finitel __finitel \
         __signbitl __fpclassifyl ldexp ldexpf ldexpl scalbn scalbnf scalbnl sin cos tan asin \
         acos atan sinh cosh tanh exp exp2 exp10 expm1 log log2 log10 log1p cbrt pow atan2 hypot sinf \
         cosf tanf asinf acosf atanf sinhf coshf tanhf expf exp2f exp10f expm1f logf log2f log10f \
         log1pf cbrtf powf atan2f hypotf sinl cosl tanl asinl acosl atanl sinhl coshl tanhl \
         expl exp2l exp10l expm1l logl log2l log10l log1pl cbrtl powl atan2l hypotl",
    ),
    Row(Engine, MEMORY, "malloc valloc calloc realloc aligned_alloc memalign posix_memalign"),
    Row(Engine, ExactIf("the pointer is null; else the system may give more than was asked for"), "malloc_usable_size"),
    // ---- The built-in C library ----
    Row(
        Library,
        Exact,
        "isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct \
         isspace isupper isxdigit getpagesize putenv unsetenv clearenv toascii tolower toupper \
         __ctype_b_loc __ctype_get_mb_cur_max __ctype_tolower_loc __ctype_toupper_loc \
         __errno_location atof strtod strtof strtold atoi atol atoll strtol strtoll strtoul \
         strtoull strtoimax strtoumax __isoc23_strtol __isoc23_strtoll __isoc23_strtoul \
         __isoc23_strtoull __isoc23_strtoimax __isoc23_strtoumax bsearch abs labs llabs imaxabs \
         div ldiv lldiv imaxdiv memccpy memchr memcmp memmem mempcpy __mempcpy memrchr \
         rawmemchr __rawmemchr bcmp bcopy bzero explicit_bzero ffs ffsl ffsll index rindex \
         stpcpy __stpcpy stpncpy __stpncpy strcasecmp strcasestr strcat strchr strchrnul strcmp \
         strcoll strcpy strcspn strlcat strlcpy strlen strncasecmp strncat strncmp strncpy \
         strnlen strpbrk strrchr strsep strspn strstr strtok strtok_r __strtok_r strxfrm \
         __memcpy_chk __memmove_chk __mempcpy_chk __memset_chk __explicit_bzero_chk \
         __stpcpy_chk __stpncpy_chk __strcat_chk __strcpy_chk __strlcat_chk __strlcpy_chk \
         __strncat_chk __strncpy_chk __chk_fail",
    ),
    Row(
        Library,
        KNOWN_TEXT,
        "printf fprintf vprintf vfprintf dprintf vdprintf __printf_chk __fprintf_chk \
         __vprintf_chk __vfprintf_chk __dprintf_chk __vdprintf_chk",
    ),
    Row(
        Library,
        Exact,
        "putc putc_unlocked putchar putchar_unlocked puts fputc fputc_unlocked fputs \
         fputs_unlocked fwrite fwrite_unlocked write _IO_putc __overflow fflush fflush_unlocked \
         setbuf setlinebuf setvbuf fileno fileno_unlocked flockfile ftrylockfile funlockfile \
         feof feof_unlocked ferror ferror_unlocked clearerr clearerr_unlocked fclose",
    ),
    Row(
        Library,
        Says(Topic::Input),
        "getc getc_unlocked getchar getchar_unlocked fgetc fgetc_unlocked fgets fgets_unlocked \
         fread fread_unlocked getdelim __getdelim getline read __fgets_chk __fread_chk \
         __read_chk _IO_getc __uflow scanf fscanf vscanf vfscanf __isoc99_scanf __isoc99_fscanf \
         __isoc99_vscanf __isoc99_vfscanf __isoc23_scanf __isoc23_fscanf __isoc23_vscanf \
         __isoc23_vfscanf",
    ),
    Row(Library, Says(Topic::Files), "fopen fopen64 tmpfile"),
    Row(Library, Under(Topic::Files), "freopen remove rename fseek ftell rewind"),
    Row(Library, Under(Topic::Clock), "time clock gettimeofday clock_gettime timespec_get"),
    Row(Library, Exact, "difftime localeconv"),
    Row(Library, ExactIf("no signal comes in between"), "sleep usleep nanosleep"),
    Row(Library, Under(Topic::Process), "getpid getppid getuid geteuid getgid getegid"),
    Row(Library, Under(Topic::System), "system"),
    Row(Library, Under(Topic::Terminal), "isatty"),
    Row(Library, ExactIf("the locale that is asked for is not the user's own"), "setlocale"),
    Row(Library, ExactIf("the signal cannot come from outside"), "signal __sysv_signal"),
    Row(Library, ExactIf("the program has set the variable"), "getenv secure_getenv setenv"),
    Row(Library, ExactIf("the order of equal elements is that of glibc up to 2.36"), "qsort qsort_r"),
    Row(Library, GLIBC, "rand random srand srandom rand_r strerror strerror_r __xpg_strerror_r perror"),
    Row(Library, MEMORY, "atexit __cxa_atexit reallocarray strdup __strdup strndup __strndup"),
    Row(
        Library,
        CONVERSIONS,
        "asprintf snprintf sprintf vasprintf vsnprintf vsprintf sscanf vsscanf __isoc99_sscanf \
         __isoc99_vsscanf __isoc23_sscanf __isoc23_vsscanf __asprintf_chk __snprintf_chk \
         __sprintf_chk __vasprintf_chk __vsnprintf_chk __vsprintf_chk",
    ),
    Row(Library, ExactIf("one character at a time"), "ungetc"),
    // ---- LLVM's intrinsics ----
    Row(
        Intrinsic,
        Exact,
        "dbg.declare dbg.value dbg.label dbg.assign lifetime.start lifetime.end invariant.start \
         invariant.end fabs floor ceil trunc round rint nearbyint roundeven copysign minnum \
         maxnum minimumnum maximumnum minimum maximum fma fmuladd is.fpclass fptosi.sat \
         fptoui.sat lrint llrint lround llround powi convert.to.fp16 convert.from.fp16 \
         arithmetic.fence experimental.noalias.scope.decl prefetch sideeffect pseudoprobe \
         var.annotation codeview.annotation va_start va_copy va_end clear_cache fake.use \
         donothing stacksave stackrestore trap debugtrap ubsantrap x86.sse2.pause \
         x86.sse.sfence x86.sse2.lfence x86.sse2.mfence memcpy memcpy.inline memmove memset \
         memset.inline memcpy.element.unordered.atomic memmove.element.unordered.atomic \
         memset.element.unordered.atomic assume smax smin umax umin sadd.sat uadd.sat ssub.sat \
         usub.sat sshl.sat ushl.sat sadd.with.overflow uadd.with.overflow ssub.with.overflow \
         usub.with.overflow smul.with.overflow umul.with.overflow ctpop ctlz cttz bswap \
         bitreverse abs fshl fshr scmp ucmp expect expect.with.probability \
         launder.invariant.group strip.invariant.group ptr.annotation annotation ssa.copy \
         threadlocal.address load.relative ptrmask objectsize is.constant allow.runtime.check \
         allow.ubsan.check",
    ),
    Row(Intrinsic, ExactIf("the rounding mode is not changed, which nothing here can"), "get.rounding"),
    Row(Intrinsic, Over(Inexactness::CallerAddress), "frameaddress returnaddress addressofreturnaddress sponentry"),
    Row(
        Intrinsic,
        ExactIf("errno is not looked at, as the compiler was told"),
        "sqrt sin cos tan exp exp2 log log2 log10",
    ),
    Row(Intrinsic, ONE_VALUE, "pow exp10 ldexp acos asin atan cosh sinh tanh"),
    // ---- System calls, for programs with musl ----
    Row(
        SystemCall,
        Exact,
        "READ WRITE OPEN CLOSE POLL LSEEK MUNMAP RT_SIGPROCMASK IOCTL PREAD PWRITE READV \
         WRITEV ACCESS DUP DUP2 EXIT FCNTL FLOCK FSYNC FDATASYNC TRUNCATE FTRUNCATE GETCWD CHDIR \
         FCHDIR RENAME MKDIR RMDIR CREAT LINK UNLINK SYMLINK READLINK CHMOD FCHMOD CHOWN FCHOWN \
         LCHOWN RT_SIGPENDING MKNOD SYNC TKILL TGKILL FUTEX FADVISE64 EXIT_GROUP OPENAT \
         MKDIRAT MKNODAT FCHOWNAT UNLINKAT RENAMEAT LINKAT SYMLINKAT READLINKAT FCHMODAT \
         FACCESSAT PPOLL UTIMENSAT FALLOCATE DUP3 SYNCFS RENAMEAT2 FACCESSAT2 SCHED_YIELD \
         SET_TID_ADDRESS",
    ),
    Row(
        SystemCall,
        ExactIf("no decision depends on the times, numbers and blocks of files or on who owns them"),
        "STAT FSTAT LSTAT NEWFSTATAT",
    ),
    Row(SystemCall, ExactIf("the memory may be written"), "MMAP"),
    Row(
        SystemCall,
        ExactIf("it is about the working directory and one entry, whose number is not looked at"),
        "GETDENTS64",
    ),
    Row(SystemCall, ExactIf("the signal cannot come from outside"), "RT_SIGACTION"),
    Row(SystemCall, ExactIf("the file cannot be run"), "EXECVE"),
    Row(SystemCall, ExactIf("there is no such file"), "STATFS"),
    Row(SystemCall, ExactIf("it is for the own group"), "KILL"),
    Row(SystemCall, Under(Topic::Clock), "CLOCK_GETTIME CLOCK_GETRES"),
    Row(SystemCall, ExactIf("no signal comes in between"), "NANOSLEEP CLOCK_NANOSLEEP"),
    Row(
        SystemCall,
        Under(Topic::Process),
        "GETPID GETTID GETPGRP GETPGID GETSID GETPPID GETUID GETEUID GETGID GETEGID GETRESUID \
         GETRESGID GETGROUPS UMASK CHROOT",
    ),
    Row(SystemCall, Under(Topic::System), "UNAME SYSINFO GETRLIMIT PRLIMIT64"),
    Row(SystemCall, Under(Topic::Random), "GETRANDOM"),
    Row(SystemCall, Both(Inexactness::NotInModel), "MPROTECT MADVISE SIGALTSTACK"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_name_has_one_answer() {
        let mut seen = BTreeSet::new();
        for entry in entries() {
            let is_function = matches!(entry.provider, Engine | Library);
            let kind = if is_function { Engine } else { entry.provider };
            assert!(seen.insert((kind, entry.name)), "{} is there twice", entry.name);
        }
        assert_eq!(of_function("strlen"), Some(Exact));
        assert_eq!(of_function("time"), Some(Under(Topic::Clock)));
        assert_eq!(of_function("__VERIFIER_nondet_int"), Some(Exact));
        assert_eq!(of_function("arc4random"), None);
    }

    #[test]
    fn topics_have_their_words() {
        for topic in Topic::ALL {
            assert_eq!(Topic::named(topic.word()), Some(topic));
            assert!(topic.option().ends_with(topic.word()));
        }
    }
}

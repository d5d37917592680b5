//! A concrete interpreter of the IR, as simple as can be: one flat memory, undefined values are
//! zero, values have at most 128 bits, floats are `float` and `double`. It is the reference that
//! lowering is tested with.

use espalier_ir::{
    BinOp, CallSite, Callee, CastOp, CmpOp, ConstExpr, Constant, EdgeId, FBinOp, FCastOp, FCmpOp, FUnOp, FloatKind,
    FuncId, Function, InitPiece, Inst, Operand, Program, UnOp, VarArgValue,
};

const MEMORY_BASE: u64 = 0x10000;
const FUNCTION_BASE: u64 = 0x7000_0000;
const BLOCK_BASE: u64 = 0x6000_0000;

pub struct Machine<'p> {
    program: &'p Program,
    memory: Vec<u8>,
    globals: Vec<u64>,
    /// What the program passed to `out`.
    pub trace: Vec<i64>,
    steps: u64,
}

fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

fn signed(value: u128, width: u32) -> i128 {
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}

/// Runs constructors, `entry` and destructors, and gives the entry's result.
pub fn run(program: &Program, entry: FuncId) -> (Vec<u128>, Vec<i64>) {
    let mut machine = Machine { program, memory: Vec::new(), globals: Vec::new(), trace: Vec::new(), steps: 0 };
    for global in &program.globals {
        let address = machine.allocate(global.size, global.align);
        machine.globals.push(address);
    }
    for (index, global) in program.globals.iter().enumerate() {
        let base = machine.globals[index];
        for piece in &global.init {
            match piece {
                InitPiece::Bytes { offset, bytes } => {
                    let at = machine.index(base + offset, bytes.len() as u64);
                    machine.memory[at..at + bytes.len()].copy_from_slice(bytes);
                }
                InitPiece::Value { offset, width, value } => {
                    let value = machine.constant(value);
                    machine.store(base + offset, *width, value);
                }
                InitPiece::Undef { .. } => {}
            }
        }
    }
    for id in &program.constructors {
        machine.call(*id, vec![], 0);
    }
    let params = program.function(entry).params.len();
    let result = machine.call(entry, vec![0; params], 0);
    for id in &program.destructors {
        machine.call(*id, vec![], 0);
    }
    (result, machine.trace)
}

impl<'p> Machine<'p> {
    fn allocate(&mut self, size: u64, align: u64) -> u64 {
        let end = (MEMORY_BASE + self.memory.len() as u64).next_multiple_of(align.max(16));
        self.memory.resize((end - MEMORY_BASE + size + 16) as usize, 0);
        end
    }

    fn index(&self, address: u64, size: u64) -> usize {
        let at = address.wrapping_sub(MEMORY_BASE);
        assert!(at.checked_add(size).is_some_and(|end| end <= self.memory.len() as u64), "access at {address:#x}");
        at as usize
    }

    fn load(&self, address: u64, width: u32) -> u128 {
        let size = width.div_ceil(8) as usize;
        let at = self.index(address, size as u64);
        let mut bytes = [0; 16];
        bytes[..size].copy_from_slice(&self.memory[at..at + size]);
        u128::from_le_bytes(bytes) & mask(width)
    }

    fn store(&mut self, address: u64, width: u32, value: u128) {
        let size = width.div_ceil(8) as usize;
        let at = self.index(address, size as u64);
        self.memory[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
    }

    fn constant(&self, constant: &Constant) -> u128 {
        match constant {
            Constant::Int { value, .. } => u128::from(*value),
            Constant::Wide { value, .. } => u128::try_from(value.clone()).expect("at most 128 bits"),
            Constant::Undef { .. } => 0,
            Constant::Global(id) => u128::from(self.globals[id.index()]),
            Constant::Function(id) => u128::from(FUNCTION_BASE + 16 * u64::from(id.0)),
            Constant::Block(_, block) => u128::from(BLOCK_BASE + u64::from(block.0)),
            Constant::Expr(expr) => match &**expr {
                ConstExpr::Bin { op, width, a, b } => bin(*op, *width, self.constant(a), self.constant(b)),
                ConstExpr::Cmp { op, width, a, b } => u128::from(cmp(*op, *width, self.constant(a), self.constant(b))),
                ConstExpr::Cast { op, from, to, a } => cast(*op, *from, *to, self.constant(a)),
                ConstExpr::Select { cond, a, b, .. } => self.constant(if self.constant(cond) == 1 { a } else { b }),
            },
        }
    }

    fn call(&mut self, id: FuncId, args: Vec<u128>, varargs: u64) -> Vec<u128> {
        let function = self.program.function(id);
        if function.is_declaration() {
            return self.external(function, &args);
        }
        let mut regs = args;
        regs.resize(function.regs.len(), 0);
        for (i, param) in function.params.iter().enumerate() {
            regs[i] &= mask(param.width);
            if let Some((size, align)) = param.by_value {
                let copy = self.allocate(size, align);
                self.copy(copy, regs[i] as u64, size);
                regs[i] = u128::from(copy);
            }
        }
        let mut at = function.blocks[0].start as usize;
        loop {
            self.steps += 1;
            assert!(self.steps < 50_000_000, "the program does not end");
            let inst = function.code[at];
            at += 1;
            match self.step(function, &mut regs, inst, varargs) {
                Next::On => {}
                Next::Edge(edge) => {
                    let edge = function.edge(edge);
                    for (dst, src) in &edge.copies {
                        regs[dst.index()] = self.value(function, &regs, *src);
                    }
                    at = function.block(edge.target).start as usize;
                }
                Next::Return(values) => return values,
            }
        }
    }

    fn copy(&mut self, to: u64, from: u64, size: u64) {
        let (to, from) = (self.index(to, size), self.index(from, size));
        self.memory.copy_within(from..from + size as usize, to);
    }

    fn external(&mut self, function: &Function, args: &[u128]) -> Vec<u128> {
        match function.name.as_str() {
            "out" => {
                self.trace.push(args[0] as i64);
                vec![]
            }
            "malloc" => vec![u128::from(self.allocate(args[0] as u64, 16))],
            "pow" => vec![u128::from(f64::from_bits(args[0] as u64).powf(f64::from_bits(args[1] as u64)).to_bits())],
            // Calls that set errno stay calls.
            name => match unary_function(name) {
                Some(Unary::Double(f)) => vec![u128::from(f(f64::from_bits(args[0] as u64)).to_bits())],
                Some(Unary::Float(f)) => vec![u128::from(f(f32::from_bits(args[0] as u32)).to_bits())],
                None if name == "fmod" => {
                    let (x, y) = (f64::from_bits(args[0] as u64), f64::from_bits(args[1] as u64));
                    vec![u128::from((x % y).to_bits())]
                }
                None if name == "fmodf" => {
                    let (x, y) = (f32::from_bits(args[0] as u32), f32::from_bits(args[1] as u32));
                    vec![u128::from((x % y).to_bits())]
                }
                None => panic!("call of the undefined function {name}"),
            },
        }
    }

    fn value(&self, function: &Function, regs: &[u128], operand: Operand) -> u128 {
        match operand.as_const() {
            Some(id) => self.constant(function.constant(id)),
            None => regs[operand.index()],
        }
    }

    fn step(&mut self, function: &Function, regs: &mut [u128], inst: Inst, varargs: u64) -> Next {
        macro_rules! v {
            ($operand:expr) => {
                self.value(function, regs, $operand)
            };
        }
        match inst {
            Inst::Bin { op, width, dst, a, b } => regs[dst.index()] = bin(op, width, v!(a), v!(b)),
            Inst::Un { op, width, dst, a } => regs[dst.index()] = un(op, width, v!(a)),
            Inst::Cmp { op, width, dst, a, b } => regs[dst.index()] = u128::from(cmp(op, width, v!(a), v!(b))),
            Inst::Cast { op, from, to, dst, a } => regs[dst.index()] = cast(op, from, to, v!(a)),
            Inst::Select { dst, cond, a, b, .. } => regs[dst.index()] = if v!(cond) == 1 { v!(a) } else { v!(b) },
            Inst::Copy { dst, a, .. } | Inst::Freeze { dst, a, .. } => regs[dst.index()] = v!(a),
            Inst::PtrAdd { dst, base, index, scale, offset } => {
                let sum = (v!(base) as u64).wrapping_add((v!(index) as u64).wrapping_mul(u64::from(scale)));
                let sum = sum.wrapping_add_signed(i64::from(offset));
                regs[dst.index()] = u128::from(sum) & mask(self.program.target.pointer_width);
            }
            Inst::Load { width, dst, ptr, .. } => regs[dst.index()] = self.load(v!(ptr) as u64, width),
            Inst::Store { width, value, ptr } => {
                let (address, value) = (v!(ptr) as u64, v!(value));
                self.store(address, width, value);
            }
            Inst::Alloca { dst, site, count } => {
                let site = function.alloca(site);
                let size = site.element_size * v!(count) as u64;
                regs[dst.index()] = u128::from(self.allocate(size, site.align));
            }
            Inst::LifeStart { dst, site } => {
                let site = function.alloca(site);
                regs[dst.index()] = u128::from(self.allocate(site.element_size, site.align));
            }
            Inst::LifeEnd { .. } | Inst::PointerPair { .. } | Inst::AddressNumber { .. } | Inst::NumberPair { .. } => {}
            Inst::Unknown { dst, .. } => regs[dst.index()] = 0,
            Inst::StackSave { dst } => regs[dst.index()] = 0,
            Inst::StackRestore { .. } => {}
            Inst::MemCpy { dst, src, len } | Inst::MemMove { dst, src, len } => {
                let (dst, src, len) = (v!(dst) as u64, v!(src) as u64, v!(len) as u64);
                self.copy(dst, src, len);
            }
            Inst::MemSet { dst, byte, len } => {
                let (dst, byte, len) = (v!(dst) as u64, v!(byte) as u8, v!(len) as u64);
                let at = self.index(dst, len);
                self.memory[at..at + len as usize].fill(byte);
            }
            Inst::FBin { op, kind, dst, a, b } => regs[dst.index()] = fbin(op, kind, v!(a), v!(b)),
            Inst::FUn { op, kind, dst, a } => regs[dst.index()] = fun(op, kind, v!(a)),
            Inst::FMulAdd { kind, fused, dst, a, b, c } => {
                let (a, b, c) = (float(kind, v!(a)), float(kind, v!(b)), float(kind, v!(c)));
                regs[dst.index()] = match (kind, fused) {
                    (FloatKind::F32, true) => u128::from((a as f32).mul_add(b as f32, c as f32).to_bits()),
                    (_, true) => bits(kind, a.mul_add(b, c)),
                    (FloatKind::F32, false) => u128::from((a as f32 * b as f32 + c as f32).to_bits()),
                    (_, false) => bits(kind, a * b + c),
                };
            }
            Inst::FCmp { op, kind, dst, a, b } => {
                regs[dst.index()] = u128::from(fcmp(op, float(kind, v!(a)), float(kind, v!(b))))
            }
            Inst::FCast { op, dst, a } => regs[dst.index()] = fcast(op, v!(a)),
            Inst::Call { call } => {
                let site = function.call(call);
                let results = self.call_site(function, regs, site);
                for (dst, value) in site.dsts.iter().zip(results) {
                    regs[dst.index()] = value;
                }
            }
            Inst::VaStart { list, .. } => {
                let list = v!(list) as u64;
                if self.program.target.pointer_width == 64 {
                    // The register areas are used up; everything is in memory.
                    self.store(list, 32, 48);
                    self.store(list + 4, 32, 176);
                    self.store(list + 8, 64, u128::from(varargs));
                } else {
                    self.store(list, 32, u128::from(varargs));
                }
            }
            Inst::VaCopy { dst, src } => {
                let (dst, src) = (v!(dst) as u64, v!(src) as u64);
                self.copy(dst, src, if self.program.target.pointer_width == 64 { 24 } else { 4 });
            }
            Inst::Assume { cond } => assert_eq!(v!(cond), 1, "a false assumption"),
            Inst::Target { .. } => {}
            Inst::Trap => panic!("a trap"),
            Inst::Jump { edge } => return Next::Edge(edge),
            Inst::Branch { cond, then, otherwise } => return Next::Edge(if v!(cond) == 1 { then } else { otherwise }),
            Inst::Switch { switch } => {
                let table = function.switch(switch);
                let value = v!(table.value) as u64;
                let case = table.cases.iter().find(|(case, _)| *case == value);
                return Next::Edge(case.map_or(table.default, |(_, edge)| *edge));
            }
            Inst::IndirectJump { target, switch } => {
                let block = v!(target) as u64 - BLOCK_BASE;
                let case = function.switch(switch).cases.iter().find(|(case, _)| *case == block);
                return Next::Edge(case.expect("a jump to a block that is no target").1);
            }
            Inst::Return { ret } => {
                return Next::Return(function.returns[ret as usize].iter().map(|value| v!(*value)).collect());
            }
            Inst::Unreachable => panic!("unreachable code was reached in {}", function.name),
            Inst::Unsupported { what } => {
                panic!("unsupported: {}", self.program.unsupported[what as usize])
            }
        }
        Next::On
    }

    fn call_site(&mut self, function: &Function, regs: &[u128], site: &CallSite) -> Vec<u128> {
        let args: Vec<u128> = site.args.iter().map(|arg| self.value(function, regs, *arg)).collect();
        let mut offsets = Vec::new();
        let mut end = 0_u64;
        for arg in &site.varargs {
            let offset = end.next_multiple_of(arg.align);
            offsets.push(offset);
            end = offset + arg.size;
        }
        let area = self.allocate(end, 16);
        for (arg, offset) in site.varargs.iter().zip(offsets) {
            match &arg.value {
                VarArgValue::Pieces(pieces) => {
                    for (at, width, value) in pieces {
                        let value = self.value(function, regs, *value);
                        self.store(area + offset + at, *width, value);
                    }
                }
                VarArgValue::ByValue(from) => {
                    let from = self.value(function, regs, *from) as u64;
                    self.copy(area + offset, from, arg.size);
                }
            }
        }
        let id = match site.callee {
            Callee::Direct(id) => id,
            Callee::Indirect(target) => {
                let address = self.value(function, regs, target) as u64;
                FuncId(((address - FUNCTION_BASE) / 16) as u32)
            }
        };
        self.call(id, args, area)
    }
}

enum Next {
    On,
    Edge(EdgeId),
    Return(Vec<u128>),
}

fn bin(op: BinOp, width: u32, a: u128, b: u128) -> u128 {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let (max, min) = ((mask(width) >> 1) as i128, -((mask(width) >> 1) as i128) - 1);
    let shift = u32::try_from(b).unwrap_or(u32::MAX);
    let fits = |value: Option<i128>| value.is_some_and(|value| (min..=max).contains(&value));
    let clamp =
        |value: Option<i128>, high: bool| value.map_or(if high { max } else { min }, |v| v.clamp(min, max)) as u128;
    let result = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => a / b,
        BinOp::SDiv => sa.wrapping_div(sb) as u128,
        BinOp::URem => a % b,
        BinOp::SRem => sa.wrapping_rem(sb) as u128,
        BinOp::Shl => a.checked_shl(shift).filter(|_| shift < width).unwrap_or(0),
        BinOp::LShr => a.checked_shr(shift).filter(|_| shift < width).unwrap_or(0),
        BinOp::AShr => (sa >> shift.min(width - 1)) as u128,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::UMin => a.min(b),
        BinOp::UMax => a.max(b),
        BinOp::SMin => sa.min(sb) as u128,
        BinOp::SMax => sa.max(sb) as u128,
        BinOp::UAddSat => a.saturating_add(b).min(mask(width)),
        BinOp::USubSat => a.saturating_sub(b),
        BinOp::SAddSat => clamp(sa.checked_add(sb), sb > 0),
        BinOp::SSubSat => clamp(sa.checked_sub(sb), sb < 0),
        BinOp::UShlSat => {
            if (a << shift) & mask(width) == a << shift {
                a << shift
            } else {
                mask(width)
            }
        }
        BinOp::SShlSat => clamp(sa.checked_mul(1 << shift), sa > 0),
        BinOp::UAddOverflow => u128::from(a.checked_add(b).is_none_or(|sum| sum > mask(width))),
        BinOp::USubOverflow => u128::from(a < b),
        BinOp::UMulOverflow => u128::from(a.checked_mul(b).is_none_or(|product| product > mask(width))),
        BinOp::SAddOverflow => u128::from(!fits(sa.checked_add(sb))),
        BinOp::SSubOverflow => u128::from(!fits(sa.checked_sub(sb))),
        BinOp::SMulOverflow => u128::from(!fits(sa.checked_mul(sb))),
    };
    result & mask(width)
}

fn un(op: UnOp, width: u32, a: u128) -> u128 {
    let result = match op {
        UnOp::Popcount => u128::from(a.count_ones()),
        UnOp::CountLeadingZeros => u128::from(a.leading_zeros() - (128 - width)),
        UnOp::CountTrailingZeros => u128::from(a.trailing_zeros().min(width)),
        UnOp::ByteSwap => a.swap_bytes() >> (128 - width),
        UnOp::BitReverse => a.reverse_bits() >> (128 - width),
        UnOp::Abs => signed(a, width).unsigned_abs(),
    };
    result & mask(width)
}

fn cmp(op: CmpOp, width: u32, a: u128, b: u128) -> bool {
    let (sa, sb) = (signed(a, width), signed(b, width));
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Slt => sa < sb,
        CmpOp::Sle => sa <= sb,
        CmpOp::Sgt => sa > sb,
        CmpOp::Sge => sa >= sb,
    }
}

fn cast(op: CastOp, from: u32, to: u32, a: u128) -> u128 {
    match op {
        CastOp::Trunc | CastOp::ZExt => a & mask(to),
        CastOp::SExt => signed(a, from) as u128 & mask(to),
    }
}

fn float(kind: FloatKind, bits: u128) -> f64 {
    match kind {
        FloatKind::F32 => f64::from(f32::from_bits(bits as u32)),
        FloatKind::F64 => f64::from_bits(bits as u64),
        other => panic!("{other:?} in the test interpreter"),
    }
}

fn bits(kind: FloatKind, value: f64) -> u128 {
    match kind {
        FloatKind::F32 => u128::from((value as f32).to_bits()),
        FloatKind::F64 => u128::from(value.to_bits()),
        other => panic!("{other:?} in the test interpreter"),
    }
}

fn fbin(op: FBinOp, kind: FloatKind, a: u128, b: u128) -> u128 {
    let (x, y) = (float(kind, a), float(kind, b));
    // Computing a float operation in double and rounding once gives the float result.
    bits(
        kind,
        match op {
            FBinOp::Add => x + y,
            FBinOp::Sub => x - y,
            FBinOp::Mul => x * y,
            FBinOp::Div => x / y,
            FBinOp::Rem => x % y,
            FBinOp::MinNum => x.min(y),
            FBinOp::MaxNum => x.max(y),
            FBinOp::Minimum => {
                if x.is_nan() || y.is_nan() {
                    f64::NAN
                } else {
                    x.min(y)
                }
            }
            FBinOp::Maximum => {
                if x.is_nan() || y.is_nan() {
                    f64::NAN
                } else {
                    x.max(y)
                }
            }
            FBinOp::CopySign => x.copysign(y),
        },
    )
}

fn fun(op: FUnOp, kind: FloatKind, a: u128) -> u128 {
    let x = float(kind, a);
    bits(
        kind,
        match op {
            FUnOp::Neg => -x,
            FUnOp::Abs => x.abs(),
            FUnOp::Sqrt => x.sqrt(),
            FUnOp::Floor => x.floor(),
            FUnOp::Ceil => x.ceil(),
            FUnOp::Trunc => x.trunc(),
            FUnOp::Round => x.round(),
            FUnOp::RoundEven => x.round_ties_even(),
            other => panic!("{other:?} in the test interpreter"),
        },
    )
}

fn fcmp(op: FCmpOp, x: f64, y: f64) -> bool {
    let unordered = x.is_nan() || y.is_nan();
    match op {
        FCmpOp::False => false,
        FCmpOp::True => true,
        FCmpOp::Ord => !unordered,
        FCmpOp::Uno => unordered,
        FCmpOp::Oeq => x == y,
        FCmpOp::Ogt => x > y,
        FCmpOp::Oge => x >= y,
        FCmpOp::Olt => x < y,
        FCmpOp::Ole => x <= y,
        FCmpOp::One => !unordered && x != y,
        FCmpOp::Ueq => unordered || x == y,
        FCmpOp::Ugt => unordered || x > y,
        FCmpOp::Uge => unordered || x >= y,
        FCmpOp::Ult => unordered || x < y,
        FCmpOp::Ule => unordered || x <= y,
        FCmpOp::Une => x != y,
    }
}

fn fcast(op: FCastOp, a: u128) -> u128 {
    match op {
        FCastOp::FToF { from, to } => bits(to, float(from, a)),
        FCastOp::FToSi { from, to } => (float(from, a) as i128) as u128 & mask(to),
        FCastOp::FToUi { from, to } => float(from, a) as u128 & mask(to),
        FCastOp::SiToF { from, to: FloatKind::F32 } => u128::from((signed(a, from) as f32).to_bits()),
        FCastOp::UiToF { to: FloatKind::F32, .. } => u128::from((a as f32).to_bits()),
        FCastOp::SiToF { from, to } => bits(to, signed(a, from) as f64),
        FCastOp::UiToF { to, .. } => bits(to, a as f64),
    }
}

enum Unary {
    Double(fn(f64) -> f64),
    Float(fn(f32) -> f32),
}

fn unary_function(name: &str) -> Option<Unary> {
    Some(match name {
        "sqrt" => Unary::Double(f64::sqrt),
        "sin" => Unary::Double(f64::sin),
        "cos" => Unary::Double(f64::cos),
        "tan" => Unary::Double(f64::tan),
        "exp" => Unary::Double(f64::exp),
        "exp2" => Unary::Double(f64::exp2),
        "log" => Unary::Double(f64::ln),
        "log2" => Unary::Double(f64::log2),
        "log10" => Unary::Double(f64::log10),
        "sqrtf" => Unary::Float(f32::sqrt),
        "sinf" => Unary::Float(f32::sin),
        "cosf" => Unary::Float(f32::cos),
        "tanf" => Unary::Float(f32::tan),
        "expf" => Unary::Float(f32::exp),
        "exp2f" => Unary::Float(f32::exp2),
        "logf" => Unary::Float(f32::ln),
        "log2f" => Unary::Float(f32::log2),
        "log10f" => Unary::Float(f32::log10),
        _ => return None,
    })
}

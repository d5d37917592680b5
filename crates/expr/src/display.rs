//! Terms for people: `klee_print_expr`, messages, debugging. Infix, as a tree, and cut off when it
//! gets long; a term may stand for a tree of any size and depth, so this neither recurses nor
//! prints everything.

use crate::{Op, SymbolShape, Term, Terms};
use std::fmt::{self, Display};

/// How many nodes are printed before the rest becomes `…`.
const NODES: usize = 400;
/// How deep operators are nested before a subterm becomes `…`.
const DEPTH: usize = 60;

impl Terms {
    /// A readable form, which is not meant to be parsed.
    pub fn display(&self, term: Term) -> impl Display + '_ {
        Shown { terms: self, term }
    }
}

struct Shown<'a> {
    terms: &'a Terms,
    term: Term,
}

/// What is still to be printed, last first.
enum Piece {
    Text(&'static str),
    Slice {
        lo: u32,
        width: u32,
    },
    /// A term, with the number of operators around it.
    Term(Term, usize),
}

fn infix(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::And => " & ",
        Op::Or => " | ",
        Op::Xor => " ^ ",
        Op::Add => " + ",
        Op::Mul => " * ",
        Op::UDiv => " /u ",
        Op::SDiv => " /s ",
        Op::URem => " %u ",
        Op::SRem => " %s ",
        Op::Shl => " << ",
        Op::LShr => " >>u ",
        Op::AShr => " >>s ",
        Op::Eq => " == ",
        Op::Ult => " <u ",
        Op::Ule => " <=u ",
        Op::Slt => " <s ",
        Op::Sle => " <=s ",
        Op::Concat => " ++ ",
        Op::FpAdd => " +. ",
        Op::FpSub => " -. ",
        Op::FpMul => " *. ",
        Op::FpDiv => " /. ",
        Op::FpEq => " ==. ",
        Op::FpLt => " <. ",
        Op::FpLe => " <=. ",
        _ => return None,
    })
}

impl Shown<'_> {
    fn leaf(&self, term: Term, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let node = self.terms.node(term);
        if let Some(value) = self.terms.as_bv(term) {
            return match value.to_u64() {
                Some(value) if node.width == 1 => write!(f, "{}", value == 1),
                Some(value) if value < 10 => write!(f, "{value}"),
                _ => write!(f, "{value}"),
            };
        }
        let info = self.terms.symbol_info(node.symbol());
        f.write_str(&info.name)?;
        if info.occurrence > 0 {
            write!(f, "#{}", info.occurrence)?;
        }
        match info.shape {
            SymbolShape::Scalar => Ok(()),
            SymbolShape::Bytes => write!(f, "[{}]", node.number(1)),
        }
    }
}

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut stack = vec![Piece::Term(self.term, 0)];
        let mut printed = 0;
        while let Some(piece) = stack.pop() {
            let (term, depth) = match piece {
                Piece::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Piece::Slice { lo, width } => {
                    write!(f, "[{}:{lo}]", lo + width - 1)?;
                    continue;
                }
                Piece::Term(term, depth) => (term, depth),
            };
            let node = self.terms.node(term);
            if self.terms.is_const(term) || node.op == Op::Var {
                self.leaf(term, f)?;
                continue;
            }
            printed += 1;
            if printed > NODES || depth > DEPTH {
                f.write_str("…")?;
                continue;
            }
            let inner = depth + 1;
            let mut operator = |text: &'static str, args: [Term; 2]| {
                let (open, close) = if depth == 0 { ("", "") } else { ("(", ")") };
                let [a, b] = args.map(|arg| Piece::Term(arg, inner));
                stack.extend([Piece::Text(close), b, Piece::Text(text), a, Piece::Text(open)]);
            };
            match node.op {
                Op::Not if self.terms.op(node.arg(0)) == Op::Eq => {
                    let equality = self.terms.node(node.arg(0));
                    operator(" != ", [equality.arg(0), equality.arg(1)]);
                }
                Op::Not | Op::Neg => {
                    f.write_str(match node.op {
                        Op::Neg => "-",
                        _ if node.width == 1 => "!",
                        _ => "~",
                    })?;
                    stack.push(Piece::Term(node.arg(0), inner));
                }
                Op::Ite => {
                    let [c, a, b] = [0, 1, 2].map(|i| Piece::Term(node.arg(i), inner));
                    f.write_str("(")?;
                    stack.extend([Piece::Text(")"), b, Piece::Text(" : "), a, Piece::Text(" ? "), c]);
                }
                Op::Extract => {
                    stack.extend([
                        Piece::Slice { lo: node.number(1), width: node.width },
                        Piece::Term(node.arg(0), inner),
                    ]);
                }
                Op::Read => {
                    write!(f, "array{}[", node.array().index())?;
                    // The index is delimited already.
                    stack.extend([Piece::Text("]"), Piece::Term(node.arg(1), inner)]);
                }
                op => match infix(op) {
                    Some(text) => operator(text, [node.arg(0), node.arg(1)]),
                    None => {
                        write!(f, "{op:?}{}(", node.width)?;
                        stack.push(Piece::Text(")"));
                        for (i, arg) in node.args().enumerate().collect::<Vec<_>>().into_iter().rev() {
                            stack.push(Piece::Term(arg, inner));
                            if i > 0 {
                                stack.push(Piece::Text(", "));
                            }
                        }
                    }
                },
            }
        }
        Ok(())
    }
}

//! S-expressions, as far as the answers of an SMT-LIB solver need them.

use espalier_expr::Bv;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sexpr {
    Atom(String),
    List(Vec<Sexpr>),
}

impl Sexpr {
    pub fn atom(&self) -> Option<&str> {
        match self {
            Sexpr::Atom(text) => Some(text),
            Sexpr::List(_) => None,
        }
    }

    pub fn list(&self) -> Option<&[Sexpr]> {
        match self {
            Sexpr::Atom(_) => None,
            Sexpr::List(items) => Some(items),
        }
    }

    /// A bit-vector literal: `#b…`, `#x…` or `(_ bvN w)`.
    pub fn bit_vector(&self, width: u32) -> Option<Bv> {
        let (digits, radix_bits) = match self {
            Sexpr::Atom(text) if text.starts_with("#b") => (&text[2..], 1),
            Sexpr::Atom(text) if text.starts_with("#x") => (&text[2..], 4),
            Sexpr::List(items) => return decimal(items, width),
            _ => return None,
        };
        let mut value: Option<Bv> = None;
        for digit in digits.chars() {
            let digit = Bv::from_u64(digit.to_digit(1 << radix_bits)? as u64, radix_bits);
            value = Some(match value {
                None => digit,
                Some(high) => Bv::concat(&high, &digit),
            });
        }
        value.filter(|value| value.width() == width)
    }
}

fn decimal(items: &[Sexpr], width: u32) -> Option<Bv> {
    let [underscore, number, _] = items else {
        return None;
    };
    if underscore.atom()? != "_" {
        return None;
    }
    let ten = Bv::from_u64(10, width.max(4));
    let mut value = Bv::zero(width.max(4));
    for digit in number.atom()?.strip_prefix("bv")?.chars() {
        value = value.mul(&ten).add(&Bv::from_u64(digit.to_digit(10)? as u64, width.max(4)));
    }
    Some(value.resize(width))
}

/// All s-expressions in `text`; none if it does not end where one does.
pub fn parse(text: &str) -> Option<Vec<Sexpr>> {
    let mut open: Vec<Vec<Sexpr>> = vec![Vec::new()];
    let mut chars = text.chars().peekable();
    while let Some(&c) = chars.peek() {
        match c {
            '(' => {
                chars.next();
                open.push(Vec::new());
            }
            ')' => {
                chars.next();
                let closed = open.pop()?;
                open.last_mut()?.push(Sexpr::List(closed));
            }
            ';' => while chars.next_if(|&c| c != '\n').is_some() {},
            '|' | '"' => {
                let mut atom = String::from(c);
                chars.next();
                loop {
                    let next = chars.next()?;
                    atom.push(next);
                    // A doubled quote is a quote; as two strings in a row it reads the same.
                    if next == c {
                        break;
                    }
                }
                open.last_mut()?.push(Sexpr::Atom(atom));
            }
            c if c.is_whitespace() => drop(chars.next()),
            _ => {
                let mut atom = String::new();
                while let Some(c) = chars.next_if(|&c| !c.is_whitespace() && !"()\";|".contains(c)) {
                    atom.push(c);
                }
                open.last_mut()?.push(Sexpr::Atom(atom));
            }
        }
    }
    let all = open.pop()?;
    open.is_empty().then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        let answer = parse("((|x#0.1| #x0a) ; a comment\n (y #b101)(z (_ bv300 9)))").unwrap();
        let pairs = answer[0].list().unwrap();
        let value = |i: usize, width| pairs[i].list().unwrap()[1].bit_vector(width);
        assert_eq!(pairs[0].list().unwrap()[0].atom(), Some("|x#0.1|"));
        assert_eq!(value(0, 8), Some(Bv::from_u64(10, 8)));
        assert_eq!(value(1, 3), Some(Bv::from_u64(5, 3)));
        assert_eq!(value(2, 9), Some(Bv::from_u64(300, 9)));
        assert_eq!(value(0, 7), None);
        let wide = parse("#xffffffffffffffffffff").unwrap();
        assert_eq!(wide[0].bit_vector(80), Some(Bv::ones(80)));
    }

    #[test]
    fn garbage_is_refused() {
        for text in ["(", ")", "(a))", "\"a", "|a", "(a \"b)"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(parse("#xzz").unwrap()[0].bit_vector(8), None);
        assert_eq!(parse("(_ bv1)").unwrap()[0].bit_vector(8), None);
    }
}

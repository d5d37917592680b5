//! A hash of what a term is made of, the same in every pool and every process.
//!
//! It is computed once, when a term is interned, over its operator, its width, its numbers and the
//! hashes of its arguments; symbols, wide constants and arrays are hashed by their contents. So
//! equal terms have equal hashes wherever they were built. It orders the operands of commutative
//! operators and makes keys of constraints (`PathCondition`, the solver's caches).
//!
//! The mixer has two lanes of 64 bits. Each step takes two words and multiplies, in each lane, one
//! word under the lane's state by the other one under a constant; the halves of the 128-bit product
//! are folded into one by xor. The lanes take the words the other way round, so what one of them
//! loses (a factor of 0) the other one keeps.
//!
//! A hash is a key and no proof. Among n terms two have the same one with a chance of about n² /
//! 2^129, which the keys of path conditions and of the solver's caches accept; terms, clauses and
//! interpolants are compared by what they are. Changing the mixer changes
//! [`crate::codec::SEMANTICS`].

/// A 128-bit hash of a term's structure.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct StructuralHash(u128);

impl StructuralHash {
    pub fn to_bits(self) -> u128 {
        self.0
    }

    /// The hash of a sequence: of what this is the hash of, and of one more.
    pub fn then(self, next: StructuralHash) -> StructuralHash {
        Mixer(self.0 as u64, (self.0 >> 64) as u64).hash(next).finish()
    }

    /// The hash of bytes by themselves.
    pub fn of_bytes(bytes: &[u8]) -> StructuralHash {
        Mixer::new(Kind::Bytes, 0).bytes(bytes).finish()
    }
}

/// What is hashed, apart from operators, whose numbers are below these.
#[derive(Copy, Clone)]
#[repr(u16)]
pub(crate) enum Kind {
    Bytes = 0x100,
    Symbol,
    Page,
    Base,
    Store,
}

/// The product of two words, folded into one.
#[inline]
pub(crate) fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

// Digits of pi.
const START: Mixer = Mixer(0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344);
const FACTORS: [u64; 2] = [0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89];

#[derive(Copy, Clone)]
pub(crate) struct Mixer(u64, u64);

impl Mixer {
    pub(crate) fn new(kind: Kind, number: u64) -> Mixer {
        START.pair(kind as u64, number)
    }

    /// For an operator with what it has beside its arguments.
    #[inline]
    pub(crate) fn of_operator(op: crate::Op, width: u32, number: u32) -> Mixer {
        START.pair(op as u64, u64::from(width) << 32 | u64::from(number))
    }

    #[inline]
    fn pair(self, x: u64, y: u64) -> Mixer {
        Mixer(fold(self.0 ^ x, FACTORS[0] ^ y), fold(self.1 ^ y, FACTORS[1] ^ x))
    }

    #[inline]
    pub(crate) fn number(self, number: u64) -> Mixer {
        self.pair(number, number.rotate_left(32))
    }

    #[inline]
    pub(crate) fn hash(self, hash: StructuralHash) -> Mixer {
        self.pair(hash.0 as u64, (hash.0 >> 64) as u64)
    }

    /// Bytes, and how many they are.
    pub(crate) fn bytes(self, bytes: &[u8]) -> Mixer {
        let mut mixer = self;
        for chunk in bytes.chunks(16) {
            let mut block = [0; 16];
            block[..chunk.len()].copy_from_slice(chunk);
            mixer = mixer.hash(StructuralHash(u128::from_le_bytes(block)));
        }
        mixer.number(bytes.len() as u64)
    }

    #[inline]
    pub(crate) fn finish(self) -> StructuralHash {
        StructuralHash(u128::from(self.1) << 64 | u128::from(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ArrayByte, SymbolInfo, SymbolKind, SymbolShape, Terms};
    use std::collections::BTreeMap;

    /// Of two texts, and of terms.
    const EXPECTED: [&str; 8] = [
        "bc414557e76cd0cc167a28622665d343",
        "c84bc75446ffc6f5f051a9da7d92aafb",
        "272db25d36011cacf9db6ab9fea35f93",
        "9d344180f04faf287cbb71752c09f21e",
        "835295543133bf85c813718844f42871",
        "303954e9fff8d598c1b06d9d58c9949a",
        "7bf451047c1d3247a398b2faa9ee35f6",
        "53f927ce7f00f0e33daa5ccf0d5ea813",
    ];

    /// What is written down with these hashes is read elsewhere: whoever changes one changes
    /// `codec::SEMANTICS`.
    #[test]
    fn the_mixer_is_fixed() {
        let mut t = Terms::new();
        let input = SymbolInfo {
            kind: SymbolKind::Input,
            name: "x".into(),
            occurrence: 1,
            size: 4,
            shape: SymbolShape::Scalar,
        };
        let symbol = t.symbol(input);
        let x = t.var(symbol, 0);
        let ten = t.constant(10, 32);
        let sum = t.add(x, ten);
        let low = t.extract(sum, 0, 8);
        let array = t.array_base(vec![ArrayByte::Concrete(1), ArrayByte::Term(low), ArrayByte::Concrete(3)]);
        let array = t.array_store(array, x, low);
        let read = t.read(array, sum);
        let wide = t.zext(x, 200);
        let wide = t.not(wide);
        let hashes = [x, ten, sum, low, read, wide].map(|term| t.structural_hash(term));
        let all =
            [&b""[..], b"a name of more than sixteen bytes"].map(StructuralHash::of_bytes).into_iter().chain(hashes);
        let found: Vec<String> = all.map(|hash| format!("{:032x}", hash.to_bits())).collect();
        assert_eq!(found, EXPECTED);
    }

    /// Small numbers, which differ in few bits, have hashes that differ in half of them, in every
    /// place.
    #[test]
    fn small_numbers_are_spread() {
        let mut t = Terms::new();
        let mut ones = [0u32; 128];
        let mut seen = BTreeMap::new();
        let widths = [8, 16, 32, 64];
        for width in widths {
            for value in 0..256 {
                let term = t.constant(value, width);
                let hash = t.structural_hash(term).to_bits();
                assert_eq!(seen.insert(hash, (value, width)), None);
                (0..128).for_each(|bit| ones[bit] += (hash >> bit & 1) as u32);
            }
        }
        assert!(ones.iter().all(|ones| (400..624).contains(ones)), "{ones:?}");
        // Either lane tells them apart.
        for shift in [0, 64] {
            let lanes: std::collections::BTreeSet<u64> = seen.keys().map(|hash| (hash >> shift) as u64).collect();
            assert_eq!(lanes.len(), 256 * widths.len());
        }
    }
}

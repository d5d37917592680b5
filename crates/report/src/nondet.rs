//! The inputs of SV-COMP programs as C values: each is named after the function that gave it.

/// The C type and the value of an input that `__VERIFIER_nondet_KIND` gave, of which the name is
/// `nondet_KIND`.
pub(crate) fn typed_value(name: &str, bytes: &[u8]) -> Option<(&'static str, String)> {
    let kind = name.strip_prefix("nondet_")?;
    let (ty, is_signed) = match kind {
        "bool" | "_Bool" => ("_Bool", false),
        "char" => ("char", true),
        "uchar" | "u8" => ("unsigned char", false),
        "short" | "s16" => ("short", true),
        "ushort" | "u16" => ("unsigned short", false),
        "int" | "s32" => ("int", true),
        "uint" | "unsigned" | "u32" => ("unsigned int", false),
        "long" => ("long", true),
        "ulong" => ("unsigned long", false),
        "longlong" | "s64" => ("long long", true),
        "ulonglong" | "u64" => ("unsigned long long", false),
        "size_t" => ("size_t", false),
        "float" => {
            let value = f32::from_le_bytes(bytes.try_into().ok()?);
            return Some(("float", float(f64::from(value), format!("{value:?}"))));
        }
        "double" => {
            let value = f64::from_le_bytes(bytes.try_into().ok()?);
            return Some(("double", float(value, format!("{value:?}"))));
        }
        "pointer" => ("void *", false),
        _ => return None,
    };
    if bytes.is_empty() || bytes.len() > 16 {
        return None;
    }
    let mut wide = [if is_signed && bytes.last().is_some_and(|byte| byte & 0x80 != 0) { 0xff } else { 0 }; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    Some((ty, i128::from_le_bytes(wide).to_string()))
}

fn float(value: f64, shown: String) -> String {
    match value {
        value if value.is_nan() => "(0.0/0.0)".into(),
        value if value == f64::INFINITY => "(1.0/0.0)".into(),
        value if value == f64::NEG_INFINITY => "(-1.0/0.0)".into(),
        _ => shown,
    }
}

/// The value as a C expression.
pub(crate) fn value(name: &str, bytes: &[u8]) -> Option<String> {
    typed_value(name, bytes).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::typed_value;

    #[test]
    fn values_have_their_types() {
        let show = |name, bytes: &[u8]| typed_value(name, bytes).map(|(ty, value)| format!("{ty} {value}"));
        assert_eq!(show("nondet_int", &[0xfe, 0xff, 0xff, 0xff]), Some("int -2".into()));
        assert_eq!(show("nondet_uint", &[0xfe, 0xff, 0xff, 0xff]), Some("unsigned int 4294967294".into()));
        assert_eq!(show("nondet_uchar", &[200]), Some("unsigned char 200".into()));
        assert_eq!(show("nondet_float", &1.5f32.to_le_bytes()), Some("float 1.5".into()));
        assert_eq!(show("nondet_double", &f64::NAN.to_le_bytes()), Some("double (0.0/0.0)".into()));
        assert_eq!(show("buffer", &[1]), None);
    }
}

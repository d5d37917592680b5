//! Durations, sizes and counts as people write and read them: "1h30m", "2GiB", "1,234,567".

use std::time::Duration;
use thiserror::Error;

/// What is wrong with a quantity that a user wrote.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum QuantityError {
    #[error("\"{text}\" is not a {what}: write {examples}")]
    Malformed { text: String, what: &'static str, examples: &'static str },
    #[error("\"{text}\": unknown unit \"{unit}\" (known: {known})")]
    UnknownUnit { text: String, unit: String, known: &'static str },
    #[error("\"{text}\" is too large")]
    TooLarge { text: String },
}

struct Grammar {
    what: &'static str,
    examples: &'static str,
    known: &'static str,
    /// How many of the smallest unit (nanoseconds, bytes) one of this unit is.
    unit: fn(&str) -> Option<u64>,
}

const DURATION: Grammar = Grammar {
    what: "duration",
    examples: "10s, 5m, 1h30m, or plain seconds",
    known: "d, h, m or min, s, ms, us, ns",
    unit: |unit| {
        Some(match unit {
            "d" => 86_400_000_000_000,
            "h" => 3_600_000_000_000,
            "m" | "min" => 60_000_000_000,
            "" | "s" => 1_000_000_000,
            "ms" => 1_000_000,
            "us" => 1_000,
            "ns" => 1,
            _ => return None,
        })
    },
};

const SIZE: Grammar = Grammar {
    what: "size",
    examples: "2GiB, 500MB, or plain mebibytes",
    known: "B, KB, MB, GB, TB, and KiB, MiB, GiB, TiB or K, M, G, T",
    unit: |unit| {
        Some(match unit.to_ascii_lowercase().as_str() {
            "b" => 1,
            "kb" => 1_000,
            "mb" => 1_000_000,
            "gb" => 1_000_000_000,
            "tb" => 1_000_000_000_000,
            "k" | "kib" => 1 << 10,
            "" | "m" | "mib" => 1 << 20,
            "g" | "gib" => 1 << 30,
            "t" | "tib" => 1 << 40,
            _ => return None,
        })
    },
};

/// Reads "10s", "5m", "1h30m", "1.5s", or plain seconds as KLEE takes them.
pub fn parse_duration(text: &str) -> Result<Duration, QuantityError> {
    parse(text, &DURATION).map(Duration::from_nanos)
}

/// Reads "2GiB", "500MB", "1.5G", or plain mebibytes as KLEE takes them; the result is in bytes.
pub fn parse_size(text: &str) -> Result<u64, QuantityError> {
    parse(text, &SIZE)
}

/// Reads numbers, each followed by its unit, and adds them up.
fn parse(text: &str, grammar: &Grammar) -> Result<u64, QuantityError> {
    let malformed =
        || QuantityError::Malformed { text: text.to_owned(), what: grammar.what, examples: grammar.examples };
    let too_large = || QuantityError::TooLarge { text: text.to_owned() };
    let mut rest = text.trim();
    let mut total = 0u64;
    let mut parts = 0;
    while !rest.is_empty() {
        let number_end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, after) = rest.split_at(number_end);
        let after = after.trim_start();
        let unit_end = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(unit_end);
        if number.is_empty() {
            return Err(malformed());
        }
        parts += 1;
        let is_bare = unit.is_empty() && (parts > 1 || !after.is_empty());
        if is_bare {
            return Err(malformed());
        }
        let factor = (grammar.unit)(unit).ok_or_else(|| QuantityError::UnknownUnit {
            text: text.to_owned(),
            unit: unit.to_owned(),
            known: grammar.known,
        })?;
        let value = scale(number, factor).ok_or_else(malformed)?.ok_or_else(too_large)?;
        total = total.checked_add(value).ok_or_else(too_large)?;
        rest = after.trim_start();
    }
    if parts == 0 { Err(malformed()) } else { Ok(total) }
}

/// `number` times `factor`, exact for integers. The outer `None`: not a number; the inner: it
/// overflows.
fn scale(number: &str, factor: u64) -> Option<Option<u64>> {
    if number.bytes().all(|b| b.is_ascii_digit()) {
        return Some(number.parse::<u64>().ok().and_then(|n| n.checked_mul(factor)));
    }
    let value: f64 = number.parse().ok()?;
    let scaled = value * factor as f64;
    Some((scaled < u64::MAX as f64).then_some(scaled.round() as u64))
}

/// "850ms", "12.3s", "2m05s", "1h02m".
pub fn format_duration(duration: Duration) -> String {
    let tenths = (duration.as_millis() + 50) / 100;
    let seconds = (duration.as_millis() + 500) / 1000;
    if duration < Duration::from_millis(1) {
        format!("{}us", duration.as_micros())
    } else if duration < Duration::from_secs(1) {
        format!("{}ms", duration.as_millis())
    } else if tenths < 600 {
        format!("{}.{}s", tenths / 10, tenths % 10)
    } else if seconds < 3600 {
        format!("{}m{:02}s", seconds / 60, seconds % 60)
    } else {
        let minutes = (seconds + 30) / 60;
        format!("{}h{:02}m", minutes / 60, minutes % 60)
    }
}

/// "17 B", "1.5 KiB", "2.0 GiB".
pub fn format_size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1023.95 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// "1,234,567".
pub fn format_count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn duration(text: &str) -> String {
        parse_duration(text).map_or_else(|e| e.to_string(), |d| format!("{d:?}"))
    }

    fn size(text: &str) -> String {
        parse_size(text).map_or_else(|e| e.to_string(), |bytes| bytes.to_string())
    }

    #[test]
    fn durations_that_people_write() {
        assert_eq!(duration("10"), "10s");
        assert_eq!(duration("0"), "0ns");
        assert_eq!(duration("0.25"), "250ms");
        assert_eq!(duration("10s"), "10s");
        assert_eq!(duration("5m"), "300s");
        assert_eq!(duration("5min"), "300s");
        assert_eq!(duration("1h30m"), "5400s");
        assert_eq!(duration("1h 30m 2s"), "5402s");
        assert_eq!(duration("1d"), "86400s");
        assert_eq!(duration("1.5ms"), "1.5ms");
    }

    #[test]
    fn durations_that_are_wrong_say_why() {
        let write = "is not a duration: write 10s, 5m, 1h30m, or plain seconds";
        for text in ["", "s", "-5s", "1h30", "10 20", "1.2.3s", "."] {
            assert_eq!(duration(text), format!("\"{text}\" {write}"));
        }
        assert_eq!(duration("10x"), "\"10x\": unknown unit \"x\" (known: d, h, m or min, s, ms, us, ns)");
        assert_eq!(duration("99999999999999d"), "\"99999999999999d\" is too large");
    }

    #[test]
    fn sizes_that_people_write() {
        assert_eq!(size("2000"), (2000u64 << 20).to_string());
        assert_eq!(size("500MB"), "500000000");
        assert_eq!(size("2GiB"), (2u64 << 30).to_string());
        assert_eq!(size("2G"), (2u64 << 30).to_string());
        assert_eq!(size("1.5 GiB"), (3u64 << 29).to_string());
        assert_eq!(size("17b"), "17");
        assert_eq!(
            size("1parsec"),
            "\"1parsec\": unknown unit \"parsec\" (known: B, KB, MB, GB, TB, and KiB, MiB, GiB, TiB or K, M, G, T)"
        );
        assert_eq!(size("lots"), "\"lots\" is not a size: write 2GiB, 500MB, or plain mebibytes");
    }

    #[test]
    fn quantities_for_people() {
        assert_eq!(format_duration(Duration::from_micros(42)), "42us");
        assert_eq!(format_duration(Duration::from_millis(850)), "850ms");
        assert_eq!(format_duration(Duration::from_millis(12_345)), "12.3s");
        assert_eq!(format_duration(Duration::from_millis(59_990)), "1m00s");
        assert_eq!(format_duration(Duration::from_secs(125)), "2m05s");
        assert_eq!(format_duration(Duration::from_secs(3_720)), "1h02m");
        assert_eq!(format_size(17), "17 B");
        assert_eq!(format_size(1536), "1.5 KiB");
        assert_eq!(format_size((1 << 30) - 1), "1.0 GiB");
        assert_eq!(format_count(0), "0");
        assert_eq!(format_count(999), "999");
        assert_eq!(format_count(1_234_567), "1,234,567");
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parsers_panic(text in "\\PC*") {
            let _ = parse_duration(&text);
            let _ = parse_size(&text);
        }

        #[test]
        fn parts_add_up(h in 0u64..1000, m in 0u64..1000, s in 0u64..1000) {
            prop_assert_eq!(parse_duration(&format!("{h}h{m}m{s}s")), Ok(Duration::from_secs(h * 3600 + m * 60 + s)));
        }
    }
}

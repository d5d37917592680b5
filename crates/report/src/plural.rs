//! Numbers with their units.

use espalier_base::format_count;

/// "1 byte", "1234 bytes".
pub(crate) fn plural(count: u64, unit: &str) -> String {
    counted(&count.to_string(), unit)
}

/// "1 path", "1,234 paths".
pub fn grouped_plural(count: u64, unit: &str) -> String {
    counted(&format_count(count), unit)
}

fn counted(number: &str, unit: &str) -> String {
    format!("{number} {unit}{}", if number == "1" { "" } else { "s" })
}

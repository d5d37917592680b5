//! What a mistyped name may have meant.

/// The known names, those first that take the fewest typing mistakes to become `name`.
pub fn nearest_names<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<&str> = known.into_iter().collect();
    names.sort_by_cached_key(|known| strsim::damerau_levenshtein(name, known));
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapped_letters_are_one_mistake() {
        assert_eq!(nearest_names("form", ["farms", "from", "for"]), ["from", "for", "farms"]);
        assert!(nearest_names("x", []).is_empty());
    }
}

//! A persistent map from small integers, as a radix tree with copy-on-write nodes.
//!
//! Both levels of a state's memory use it (slots to objects, and page numbers to the pages of a
//! large object), and models. Cloning is one reference count; a write copies the path to its leaf
//! when that is shared (64 bytes a level). `imbl::Vector` does the same with wider nodes; here
//! look-ups are on the executor's hottest path, keys are sparse, and a fork is to cost little, so
//! the tree is our own.

use std::rc::Rc;

const BITS: u32 = 3;
const FAN_OUT: usize = 1 << BITS;
const MASK: u64 = FAN_OUT as u64 - 1;

// Both variants are arrays of pointers of one size.
#[allow(clippy::large_enum_variant)]
#[derive(Clone)]
enum Node<T> {
    Inner([Option<Rc<Node<T>>>; FAN_OUT]),
    Leaf([Option<T>; FAN_OUT]),
}

#[derive(Clone)]
pub struct Radix<T> {
    root: Option<Rc<Node<T>>>,
    /// Levels above the leaves.
    height: u32,
    len: usize,
}

impl<T: Clone> Default for Radix<T> {
    fn default() -> Self {
        Radix { root: None, height: 0, len: 0 }
    }
}

impl<T: Clone> Node<T> {
    fn empty(height: u32) -> Node<T> {
        if height == 0 { Node::Leaf([const { None }; FAN_OUT]) } else { Node::Inner([const { None }; FAN_OUT]) }
    }

    fn is_empty(&self) -> bool {
        match self {
            Node::Inner(children) => children.iter().all(Option::is_none),
            Node::Leaf(values) => values.iter().all(Option::is_none),
        }
    }

    fn remove(node: &mut Rc<Node<T>>, height: u32, key: u64) -> Option<T> {
        let index = (key >> (BITS * height) & MASK) as usize;
        match Rc::make_mut(node) {
            Node::Leaf(values) => values[index].take(),
            Node::Inner(children) => {
                let child = children[index].as_mut()?;
                let removed = Node::remove(child, height - 1, key);
                if child.is_empty() {
                    children[index] = None;
                }
                removed
            }
        }
    }

    fn for_each<'a>(&'a self, height: u32, prefix: u64, visit: &mut impl FnMut(u64, &'a T)) {
        match self {
            Node::Leaf(values) => {
                for (i, value) in values.iter().enumerate() {
                    if let Some(value) = value {
                        visit(prefix | i as u64, value);
                    }
                }
            }
            Node::Inner(children) => {
                for (i, child) in children.iter().enumerate() {
                    if let Some(child) = child {
                        child.for_each(height - 1, prefix | (i as u64) << (BITS * height), visit);
                    }
                }
            }
        }
    }

    /// Visits those from `from` to `to`.
    fn for_each_in<'a>(&'a self, height: u32, prefix: u64, (from, to): (u64, u64), visit: &mut impl FnMut(u64, &'a T)) {
        match self {
            Node::Leaf(values) => {
                for (i, value) in values.iter().enumerate() {
                    let key = prefix | i as u64;
                    if let Some(value) = value.as_ref().filter(|_| from <= key && key <= to) {
                        visit(key, value);
                    }
                }
            }
            Node::Inner(children) => {
                for (i, child) in children.iter().enumerate() {
                    let first = prefix | (i as u64) << (BITS * height);
                    let last = first | ((1 << (BITS * height)) - 1);
                    if let Some(child) = child.as_ref().filter(|_| from <= last && first <= to) {
                        child.for_each_in(height - 1, first, (from, to), visit);
                    }
                }
            }
        }
    }
}

/// Visits the keys under which two nodes of the same height may have different values, one of which
/// may be missing. What they share is not looked at.
fn for_each_difference<'a, T>(
    nodes: [Option<&'a Rc<Node<T>>>; 2],
    height: u32,
    prefix: u64,
    visit: &mut impl FnMut(u64, [Option<&'a T>; 2]),
) {
    if let [Some(a), Some(b)] = nodes
        && Rc::ptr_eq(a, b)
    {
        return;
    }
    for i in 0..FAN_OUT {
        let key = prefix | (i as u64) << (BITS * height);
        let children = nodes.map(|node| match node.map(|node| &**node) {
            Some(Node::Inner(children)) => children[i].as_ref(),
            _ => None,
        });
        let values = nodes.map(|node| match node.map(|node| &**node) {
            Some(Node::Leaf(values)) => values[i].as_ref(),
            _ => None,
        });
        if children.iter().any(Option::is_some) {
            for_each_difference(children, height - 1, key, visit);
        } else if values.iter().any(Option::is_some) {
            visit(key, values);
        }
    }
}

fn levels_for(key: u64) -> u32 {
    let significant = 64 - key.leading_zeros();
    significant.saturating_sub(1) / BITS
}

impl<T: Clone> Radix<T> {
    pub fn count(&self) -> usize {
        self.len
    }

    /// Does another map have the same root, so that a write copies the whole way to its leaf?
    pub fn is_shared(&self) -> bool {
        self.root.as_ref().is_some_and(|root| Rc::strong_count(root) > 1)
    }

    #[inline(always)]
    pub fn get(&self, key: u64) -> Option<&T> {
        if key >> (BITS * (self.height + 1)).min(63) != 0 {
            return None;
        }
        let mut node = self.root.as_deref()?;
        let mut shift = BITS * self.height;
        loop {
            let index = (key >> shift & MASK) as usize;
            match node {
                Node::Leaf(values) => return values[index].as_ref(),
                Node::Inner(children) => node = children[index].as_deref()?,
            }
            shift -= BITS;
        }
    }

    /// A value to be changed; shared nodes on the way are copied.
    #[inline]
    pub fn get_mut(&mut self, key: u64) -> Option<&mut T> {
        if key >> (BITS * (self.height + 1)).min(63) != 0 {
            return None;
        }
        let mut node = self.root.as_mut()?;
        let mut shift = BITS * self.height;
        loop {
            let index = (key >> shift & MASK) as usize;
            match Rc::make_mut(node) {
                Node::Leaf(values) => return values[index].as_mut(),
                Node::Inner(children) => node = children[index].as_mut()?,
            }
            shift -= BITS;
        }
    }

    pub fn insert(&mut self, key: u64, value: T) {
        let needed = levels_for(key);
        match self.root.take() {
            None => {
                self.height = needed;
                self.root = Some(Rc::new(Node::empty(needed)));
            }
            Some(root) => {
                self.root = Some(root);
                while self.height < needed {
                    self.height += 1;
                    let mut children = [const { None }; FAN_OUT];
                    children[0] = self.root.take();
                    self.root = Some(Rc::new(Node::Inner(children)));
                }
            }
        }
        let mut height = self.height;
        let mut node = self.root.as_mut().expect("the root was just made");
        loop {
            let index = (key >> (BITS * height) & MASK) as usize;
            match Rc::make_mut(node) {
                Node::Leaf(values) => {
                    if values[index].replace(value).is_none() {
                        self.len += 1;
                    }
                    return;
                }
                Node::Inner(children) => {
                    height -= 1;
                    node = children[index].get_or_insert_with(|| Rc::new(Node::empty(height)));
                }
            }
        }
    }

    /// Removes a value, and the nodes that are empty then.
    pub fn remove(&mut self, key: u64) -> Option<T> {
        self.get(key)?;
        let root = self.root.as_mut()?;
        let removed = Node::remove(root, self.height, key);
        if removed.is_some() {
            self.len -= 1;
        }
        removed
    }

    /// Visits the values in the order of their keys.
    pub fn for_each<'a>(&'a self, mut visit: impl FnMut(u64, &'a T)) {
        if let Some(root) = &self.root {
            root.for_each(self.height, 0, &mut visit);
        }
    }

    /// Visits the keys under which the two maps may have different values, with what each has there,
    /// in no particular order. What they share is not looked at.
    pub fn for_each_difference<'a>(&'a self, other: &'a Radix<T>, mut visit: impl FnMut(u64, [Option<&'a T>; 2])) {
        let mut visit = |key, values: [Option<&'a T>; 2], is_turned: bool| {
            visit(key, if is_turned { [values[1], values[0]] } else { values });
        };
        let is_turned = self.height < other.height;
        let (tall, low) = if is_turned { (other, self) } else { (self, other) };
        let mut node = tall.root.as_ref();
        // What the lower one would have above its root is its root as the first child.
        for height in (low.height + 1..=tall.height).rev() {
            let Some(Node::Inner(children)) = node.map(|node| &**node) else { break };
            for (i, child) in children.iter().enumerate().skip(1).filter(|(_, child)| child.is_some()) {
                let prefix = (i as u64) << (BITS * height);
                for_each_difference([child.as_ref(), None], height - 1, prefix, &mut |key, values| {
                    visit(key, values, is_turned);
                });
            }
            node = children[0].as_ref();
        }
        for_each_difference([node, low.root.as_ref()], low.height, 0, &mut |key, values| visit(key, values, is_turned));
    }

    /// Visits the values whose keys are in a range, both ends included, in the order of their keys.
    pub fn for_each_in<'a>(&'a self, from: u64, to: u64, mut visit: impl FnMut(u64, &'a T)) {
        if let Some(root) = &self.root {
            root.for_each_in(self.height, 0, (from, to), &mut visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Radix;
    use crate::Rng;
    use std::collections::BTreeMap;

    /// A thousand random operations on a few diverging copies agree with ordered maps.
    #[test]
    fn agrees_with_ordered_maps() {
        let mut rng = Rng::new(1);
        let mut random = |bound: u64| rng.below(bound as usize) as u64;
        let mut copies = vec![(Radix::default(), BTreeMap::new())];
        for step in 0..4000 {
            let which = random(copies.len() as u64) as usize;
            if random(40) == 0 && copies.len() < 8 {
                let copy = copies[which].clone();
                copies.push(copy);
            }
            let (radix, map) = &mut copies[which];
            let bits = [4, 9, 20, 39, 60][random(5) as usize];
            let key = random(1 << 31) << 31 >> (62 - bits).min(61);
            match random(4) {
                0 => assert_eq!(radix.remove(key), map.remove(&key)),
                1 => {
                    if let Some(value) = radix.get_mut(key) {
                        *value += 1;
                    }
                    if let Some(value) = map.get_mut(&key) {
                        *value += 1;
                    }
                }
                _ => {
                    radix.insert(key, step);
                    map.insert(key, step);
                }
            }
            assert_eq!(radix.get(key), map.get(&key));
            assert_eq!(radix.count(), map.len());
        }
        for (radix, map) in &copies {
            let mut seen = Vec::new();
            radix.for_each(|key, &value| seen.push((key, value)));
            assert_eq!(seen, map.iter().map(|(&k, &v)| (k, v)).collect::<Vec<_>>());
            for (from, to) in [(0, 0), (3, 300), (8, 1 << 20), (100, u64::MAX)] {
                let mut seen = Vec::new();
                radix.for_each_in(from, to, |key, _| seen.push(key));
                assert_eq!(seen, map.range(from..=to).map(|(&k, _)| k).collect::<Vec<_>>());
            }
        }
        let mut shared = 0;
        for (a, of_a) in &copies {
            for (b, of_b) in &copies {
                let mut visited = BTreeMap::new();
                a.for_each_difference(b, |key, values| {
                    assert_eq!(values, [of_a.get(&key), of_b.get(&key)]);
                    assert_eq!(visited.insert(key, ()), None);
                });
                let keys: Vec<u64> = of_a.keys().chain(of_b.keys()).copied().collect();
                assert!(keys.iter().all(|key| of_a.get(key) == of_b.get(key) || visited.contains_key(key)));
                shared += keys.iter().filter(|key| !visited.contains_key(key)).count();
            }
        }
        assert!(shared > 1000, "{shared}");
    }
}

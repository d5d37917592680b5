//! An immutable list that grows at one end: copies share what they have in common.

use std::rc::Rc;

pub struct List<T>(Option<Rc<Link<T>>>);

struct Link<T> {
    value: T,
    earlier: List<T>,
}

impl<T> List<T> {
    pub fn push(&mut self, value: T) {
        let earlier = std::mem::take(self);
        self.0 = Some(Rc::new(Link { value, earlier }));
    }

    /// The latest one, if no copy of the list shares it.
    pub fn last_mut(&mut self) -> Option<&mut T> {
        Rc::get_mut(self.0.as_mut()?).map(|link| &mut link.value)
    }

    /// What is in it, latest first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        std::iter::successors(self.0.as_deref(), |link| link.earlier.0.as_deref()).map(|link| &link.value)
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> List<T> {
        List(self.0.clone())
    }
}

impl<T> Default for List<T> {
    fn default() -> List<T> {
        List(None)
    }
}

// A long list would otherwise be dropped recursively, one stack frame a link.
impl<T> Drop for List<T> {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(link) = next {
            next = Rc::into_inner(link).and_then(|mut link| link.earlier.0.take());
        }
    }
}

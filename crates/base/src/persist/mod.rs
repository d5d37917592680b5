//! Collections whose copies share what they have in common, for whatever a path has of its own:
//! copying one takes the same time however much is in it.

mod list;
mod radix;

pub use list::List;
pub use radix::Radix;

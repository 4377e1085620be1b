//!
fn main(){}

//! `recount context`: the model view.

use crate::args::{Context, Global};
use crate::error::Error;
use crate::output;

pub(super) fn run(global: &Global, args: &Context) -> Result<(), Error> {
    let (_, opened) = super::open(global, &args.id)?;
    output::json(&opened.model_view(args.branch.as_deref()))
}

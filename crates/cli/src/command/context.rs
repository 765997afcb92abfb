//! `recount context`: the model view.

use crate::args::{Context, Global};
use crate::error::Error;
use crate::output::{self, Screen};
use crate::render::context;

pub(super) fn run(global: &Global, args: &Context) -> Result<(), Error> {
    let (_, opened) = super::open(global, &args.id)?;
    let leaf = match &args.branch {
        Some(branch) => super::at_branch(&opened, Some(branch))?.1,
        None => None,
    };
    let view = opened.model_view(leaf.as_deref());
    drop(opened);
    if global.json || global.jsonl {
        return output::json(&view);
    }
    let screen = Screen::of(global);
    let mut out = screen.output();
    context::write(&mut out, &screen, &view, args.full)?;
    out.finish()?;
    Ok(())
}

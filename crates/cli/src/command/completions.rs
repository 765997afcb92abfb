//! `recount completions` and `recount man`: what packages install beside the program.

use std::io::Write as _;

use clap::CommandFactory as _;

use crate::args::{Args, Completions};
use crate::error::Error;
use crate::output;

pub(super) fn run(args: &Completions) -> Result<(), Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "recount", &mut script);
    let mut out = output::stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(())
}

/// One page: what the program is for, then each command.
pub(super) fn man() -> Result<(), Error> {
    let mut command = Args::command();
    command.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    let mut out = output::stdout();
    out.write_all(&page)?;
    out.flush()?;
    Ok(())
}

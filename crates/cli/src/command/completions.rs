//! `recount completions` and `recount man`: what packages install beside the program.

use std::io::Write as _;

use clap::CommandFactory as _;
use clap_mangen::Man;

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
    let man = Man::new(command.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    for sub in command.get_subcommands().filter(|s| !s.is_hide_set() && s.get_name() != "help") {
        writeln!(page, ".SH \"recount {}\"", sub.get_name())?;
        if let Some(about) = sub.get_long_about().or_else(|| sub.get_about()) {
            writeln!(page, "{about}.")?;
        }
        // Options of every command stand above already.
        let own = sub.clone().mut_args(|arg| {
            let global = arg.is_global_set() || matches!(arg.get_id().as_str(), "help" | "version");
            arg.hide(global)
        });
        let mut section = Vec::new();
        Man::new(own).render_options_section(&mut section)?;
        let section = String::from_utf8_lossy(&section);
        page.write_all(section.replace(".SH OPTIONS", ".SS Options").as_bytes())?;
    }
    man.render_version_section(&mut page)?;
    let mut out = output::stdout();
    out.write_all(&page)?;
    out.flush()?;
    Ok(())
}

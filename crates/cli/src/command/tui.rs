//! `recount tui`, and `recount` alone on a terminal.

use std::io::{IsTerminal as _, stdin, stdout};

use recount_store::Environment;
use recount_tui::{Keymap, Options, Theme};

use crate::args::tui::Ground;
use crate::args::{Global, Tui};
use crate::config::Config;
use crate::error::Error;
use crate::output::{Screen, time};

/// Whether somebody sits in front of both ends.
pub(super) fn is_possible() -> bool {
    stdin().is_terminal()
        && stdout().is_terminal()
        && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
}

pub(super) fn run(global: &Global, args: &Tui) -> Result<(), Error> {
    if global.json || global.jsonl {
        return Err(Error::Usage("`tui` is for people; `ls --json` is for programs".to_owned()));
    }
    if !is_possible() {
        let wants = if stdin().is_terminal() && stdout().is_terminal() {
            "`tui` wants a terminal that can place text, and TERM is `dumb`"
        } else {
            "`tui` wants a terminal"
        };
        return Err(Error::Usage(format!("{wants}; `ls` and `show` do without")));
    }
    let colours = Screen::of(global).paint.0;
    let told = std::env::var("COLORFGBG").ok();
    let theme = match (colours, args.ground) {
        (false, _) => Theme::Plain,
        (true, Ground::Light) => Theme::Light,
        (true, Ground::Auto) if told.as_deref().is_some_and(is_light) => Theme::Light,
        (true, Ground::Auto | Ground::Dark) => Theme::Dark,
    };
    let environment = Environment::of_process();
    let config = Config::read(&environment)?;
    let keymap = Keymap::with(&config.keys()).map_err(|e| Error::Usage(format!("[keys]: {e}")))?;
    recount_tui::run(Options {
        stores: super::stores(global),
        theme,
        clock: time::now,
        keymap,
        cache: super::index_folder(global),
        prices: config.prices(),
        times: super::search::times,
        open: args.id.clone(),
    })?;
    Ok(())
}

/// Terminals that set `COLORFGBG` end it with the number of the ground's colour.
fn is_light(told: &str) -> bool {
    matches!(told.rsplit(';').next().and_then(|n| n.parse::<u8>().ok()), Some(7 | 9..=15))
}

#[cfg(test)]
mod tests {
    use super::is_light;

    #[test]
    fn the_last_number_is_the_ground() {
        assert!(is_light("0;15") && is_light("0;default;7"));
        assert!(!is_light("15;0") && !is_light("") && !is_light("0;default") && !is_light("7;8"));
    }
}

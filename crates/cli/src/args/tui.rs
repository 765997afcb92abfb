//! `recount tui`.

use clap::Args;

/// Arguments of `recount tui`.
#[derive(Debug, Default, Args)]
pub(crate) struct Tui {
    /// Open this session at once: id, or beginning of an id
    pub(crate) id: Option<String>,
    /// What the terminal's ground is like
    #[arg(
        long,
        value_name = "GROUND",
        value_enum,
        default_value = "auto",
        hide_possible_values = true,
        help = "What the terminal's ground is like: auto, dark or light"
    )]
    pub(crate) ground: Ground,
}

/// What the terminal's ground is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Ground {
    /// As `COLORFGBG` tells, else dark
    #[default]
    Auto,
    /// Dark
    Dark,
    /// Light
    Light,
}

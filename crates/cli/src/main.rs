//! The program `recount`.
//!
//! - [`args`]: the command line
//! - [`command`]: one file for each command
//! - [`output`]: printing data and text
//! - [`render`]: threads as a person reads them
//! - [`sample`]: the built-in sample stores
//! - [`error`]: what can go wrong, and the exit codes

mod args;
mod command;
mod config;
mod error;
mod output;
mod render;
mod sample;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let args = args::Args::parse_from(args::with_negations(std::env::args_os()));
    error::exit_code(command::run(args))
}

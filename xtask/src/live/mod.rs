//! `cargo xtask live codex`: the real program is the judge.
//!
//! Codex is installed from npm into a folder for caches; its app-server runs on homes that the recorder and the thread
//! commands wrote, with a custom provider and no account, and what it answers is compared with what `recount app-server`
//! answers, turn by turn and item by item.
//!
//! - [`program`]: either program's app-server
//! - [`cases`]: what is written; [`session`]: what an agent does in them
//! - [`compare`]: what is compared

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

mod cases;
mod compare;
mod program;
mod session;

use compare::Counts;

/// The version whose formats the catalogue describes.
const VERSION: &str = "0.164.0";
const PACKAGE: &str = "@openai/codex";
const PAGE: &str = "docs/live-codex.md";

/// The programs.
#[derive(Debug)]
struct Programs {
    codex: PathBuf,
    recount: PathBuf,
}

/// Runs all cases. With `write` the page in `docs` is written anew.
pub(crate) fn run(write: bool) -> ExitCode {
    let result = programs().and_then(|programs| {
        let versions = [version(&programs.codex)?, version(&programs.recount)?];
        Ok((judge(&programs), versions))
    });
    let (outcomes, versions) = match result {
        Ok(done) => done,
        Err(e) => {
            eprintln!("error: {e}");
            return ExitCode::from(3);
        }
    };
    let failed = outcomes.iter().any(|o| !o.differences.is_empty());
    let page = page(&outcomes, &versions);
    eprint!("{page}");
    if write && let Err(e) = std::fs::write(crate::root().join(PAGE), &page) {
        eprintln!("error: {PAGE}: {e}");
        return ExitCode::from(3);
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Installs what is not there.
fn programs() -> Result<Programs, String> {
    let cache = std::env::var_os("RECOUNT_LIVE_CACHE")
        .map_or_else(|| crate::root().join("target/live"), PathBuf::from)
        .join(format!("codex-{VERSION}"));
    let codex = cache.join("node_modules/.bin/codex");
    if !codex.exists() {
        std::fs::create_dir_all(&cache).map_err(|e| format!("{}: {e}", cache.display()))?;
        let package = format!("{PACKAGE}@{VERSION}");
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(&cache).arg(package);
        succeed(&mut npm)?;
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    succeed(
        Command::new(cargo)
            .args(["build", "--quiet", "--package", "recount"])
            .current_dir(crate::root()),
    )?;
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| crate::root().join("target"), PathBuf::from);
    let recount = target.join("debug").join(format!("recount{}", std::env::consts::EXE_SUFFIX));
    Ok(Programs { codex, recount })
}

fn succeed(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("{command:?}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}

fn version(program: &Path) -> Result<String, String> {
    let run = Command::new(program).arg("--version").output();
    let out = run.map_err(|e| format!("{}: {e}", program.display()))?;
    Ok(String::from_utf8_lossy(&out.stdout).trim().to_owned())
}

/// What came of a case.
#[derive(Debug)]
struct Outcome {
    name: &'static str,
    counts: Counts,
    /// What the programs said where that is the point.
    notes: Vec<String>,
    differences: Vec<String>,
}

fn judge(programs: &Programs) -> Vec<Outcome> {
    cases::ALL
        .iter()
        .map(|(name, case)| {
            eprintln!("{name} …");
            let mut outcome = Outcome {
                name,
                counts: Counts::default(),
                notes: Vec::new(),
                differences: Vec::new(),
            };
            let judged = cases::Stage::new(programs).and_then(|mut stage| {
                let threads = case(&mut stage)?;
                let compared = compare::homes(&mut stage, &threads);
                outcome.notes = stage.notes;
                compared
            });
            match judged {
                Ok((counts, differences)) => {
                    outcome.counts = counts;
                    outcome.differences = differences;
                }
                Err(e) => outcome.differences.push(e),
            }
            outcome
        })
        .collect()
}

fn page(outcomes: &[Outcome], versions: &[String; 2]) -> String {
    let mut page = format!(
        "# Codex itself reads what recount writes\n\n\
         What `cargo xtask live codex --write` printed: {} from npm, {}. It installs the program into `target/live`, runs its \
         app-server on homes that the recorder and `recount thread` wrote, with a custom provider and no account, and compares \
         its answers with those of `recount app-server`: `thread/resume`, `thread/read` and `thread/turns/list` of each thread, \
         turn by turn and item by item, and both lists. A member that one leaves out and the other writes as null is the same. \
         Codex shows a paginated thread only once it has loaded it, so each is resumed first.\n\n\
         | case | threads | turns | items | differences |\n| --- | ---: | ---: | ---: | ---: |\n",
        versions[0], versions[1]
    );
    let mut all = Counts::default();
    let mut wrong = 0;
    for o in outcomes {
        let c = &o.counts;
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} |",
            o.name,
            c.threads,
            c.turns,
            c.items,
            o.differences.len()
        );
        all.add(c);
        wrong += o.differences.len();
    }
    let _ = writeln!(
        page,
        "| **all** | **{}** | **{}** | **{}** | **{wrong}** |",
        all.threads, all.turns, all.items
    );
    for (title, pick) in [
        ("What they said", (|o| &o.notes) as fn(&Outcome) -> &Vec<String>),
        ("Differences", |o| &o.differences),
    ] {
        if outcomes.iter().all(|o| pick(o).is_empty()) {
            continue;
        }
        let _ = writeln!(page, "\n## {title}\n");
        for o in outcomes {
            for line in pick(o) {
                let _ = writeln!(page, "- {}: {line}", o.name);
            }
        }
    }
    page.push_str(
        "\n## What is written in `state_5.sqlite`, and why\n\n\
         Codex makes rows from rollouts and finds new ones by itself: a fork, a rollback, a recorded thread need no row. It does not \
         find again what a row names wrongly. Measured with a database that Codex had made:\n\n\
         | done without the row | what Codex does |\n| --- | --- |\n\
         | rollout moved to `archived_sessions` | lists it rightly; resume and unarchive answer \"no rollout found\" (paginated) |\n\
         | only the current of a reverted thread's rollouts moved | lists the thread twice, and takes the one that stayed |\n\
         | name of a paginated thread in `session_index.jsonl` only | does not show it |\n\
         | reverted rollout written | goes on with the old one |\n\n\
         So the columns that Codex changes at these occasions are changed, in one transaction, if there is a row: `rollout_path`, \
         `archived`, `archived_at`, `name` (paginated) or `title` (legacy), `updated_at`. A fork of a paginated thread has its name \
         in `session_index.jsonl` alone, and Codex does not show it: it makes the row itself, without one.\n\n\
         `thread_history_1.sqlite` is left alone: Codex projects a rollout when it loads the thread. It never goes back to project \
         one that another only inherits from, and shows of the other its own turns alone (its own forks too, when the database is \
         gone). So a fork or a revert points at its source by `history_base` where Codex has projected that far, and brings the \
         records along with numbers of their own where it has not.\n",
    );
    page
}

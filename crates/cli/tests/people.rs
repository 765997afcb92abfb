//! What people see, on the sample stores.

use crate::environment::TestEnvironment;

fn samples() -> TestEnvironment {
    TestEnvironment::new()
}

/// The Codex session of the samples that has nearly everything.
const CODEX: &str = "01a19c92";
/// The Codex session of the samples in the older form of history.
const LEGACY: &str = "01a17c85";
/// The Claude Code session with a sub-agent.
const CLAUDE: &str = "6513270e";
/// The Claude Code session with a branch that was left.
const BRANCHES: &str = "57124242";

#[test]
fn overview() {
    insta::assert_snapshot!(samples().print("--sample"));
}

#[test]
fn ls() {
    insta::assert_snapshot!("ls-80", samples().print("--sample ls"));
    insta::assert_snapshot!("ls-60", samples().columns(60).print("--sample ls"));
    insta::assert_snapshot!("ls-120-all", samples().columns(120).print("--sample ls --all --full"));
    insta::assert_snapshot!("ls-30", samples().columns(30).print("--sample ls"));
}

#[test]
fn ls_filters() {
    let ids = |arguments: &str| -> Vec<String> {
        let list = samples()
            .json(&format!("--sample ls --json --harness codex --harness claude {arguments}"));
        let list = list.as_array().unwrap();
        list.iter().map(|s| s["id"].as_str().unwrap()[..8].to_owned()).collect()
    };
    assert_eq!(ids(""), [CLAUDE, BRANCHES, CODEX, LEGACY]);
    assert_eq!(ids("--project notes"), [BRANCHES]);
    assert_eq!(ids("--project /home/dev/shop"), [CLAUDE, CODEX]);
    assert_eq!(ids("--since 5d"), [CLAUDE, BRANCHES]);
    assert_eq!(ids("--since 2026-11-01 --until 2026-11-02"), [CODEX]);
    assert_eq!(ids("--until 2026-10-27T09:00:00Z"), [LEGACY]);
    assert_eq!(ids("--limit 1"), [CLAUDE]);
    assert_eq!(ids("--sort created --reverse"), [LEGACY, CODEX, BRANCHES, CLAUDE]);
    assert_eq!(ids("--sort size -n 1"), [CODEX]);
    assert_eq!(ids("--all").len(), 6);
    let codex = samples().json("--sample ls --json --harness codex");
    assert!(codex.as_array().unwrap().iter().all(|s| s["harness"] == "codex"));
}

#[test]
fn show() {
    insta::assert_snapshot!("codex-80", samples().print(&format!("--sample show {CODEX}")));
    insta::assert_snapshot!(
        "codex-60",
        samples().columns(60).print(&format!("--sample show {CODEX}"))
    );
    insta::assert_snapshot!(
        "codex-120",
        samples().columns(120).print(&format!("--sample show {CODEX}"))
    );
    insta::assert_snapshot!("legacy-80", samples().print(&format!("--sample show {LEGACY}")));
    insta::assert_snapshot!("claude-80", samples().print(&format!("--sample show {CLAUDE}")));
    insta::assert_snapshot!("branches-80", samples().print(&format!("--sample show {BRANCHES}")));
}

#[test]
fn show_opened() {
    let all = "--full --reasoning";
    insta::assert_snapshot!(
        "codex-opened",
        samples().print(&format!("--sample show {CODEX} {all}"))
    );
    insta::assert_snapshot!(
        "claude-opened",
        samples().print(&format!("--sample show {CLAUDE} {all}"))
    );
}

#[test]
fn show_in_colour() {
    let shown = samples().print(&format!("--sample show {CODEX} --color always --turn 1"));
    insta::assert_snapshot!("codex-coloured", shown.replace('\u{1b}', "␛"));
    let forced = samples().with("CLICOLOR_FORCE", "1");
    assert!(forced.print(&format!("--sample show {CODEX}")).contains('\u{1b}'));
    let none = samples().with("CLICOLOR_FORCE", "1").with("NO_COLOR", "1");
    assert!(!none.print(&format!("--sample show {CODEX}")).contains('\u{1b}'));
}

#[test]
fn show_parts() {
    insta::assert_snapshot!("turn", samples().print(&format!("--sample show {CODEX} --turn 2")));
    let list = samples().json(&format!("--sample show {CODEX} --json"));
    let items = list["turns"][0]["items"].as_array().unwrap();
    let failed = items.iter().find(|i| i["status"] == "failed").unwrap();
    let id = failed["id"].as_str().unwrap();
    insta::assert_snapshot!("item", samples().print(&format!("--sample show {CODEX} --at {id}")));
    let leaf = samples().json(&format!("--sample show {BRANCHES} --json"));
    let leaf = leaf["branches"].as_array().unwrap().iter().find(|b| b["active"] == false).unwrap();
    let leaf = leaf["leaf"].as_str().unwrap();
    let branch = samples().print(&format!("--sample show {BRANCHES} --branch {leaf}"));
    let by_beginning = format!("--sample show {BRANCHES} --branch {}", &leaf[..4]);
    assert_eq!(branch, samples().print(&by_beginning));
    insta::assert_snapshot!("branch", branch);
}

#[test]
fn context() {
    insta::assert_snapshot!("context-codex", samples().print(&format!("--sample context {CODEX}")));
    insta::assert_snapshot!(
        "context-claude",
        samples().print(&format!("--sample context {CLAUDE}"))
    );
    insta::assert_snapshot!(
        "context-full",
        samples().columns(60).print(&format!("--sample context {BRANCHES} --full"))
    );
}

#[test]
fn history() {
    insta::assert_snapshot!("history", samples().print("--sample history 6513"));
}

#[test]
fn usage() {
    insta::assert_snapshot!("usage", samples().print("--sample usage"));
    insta::assert_snapshot!(
        "usage-project-60",
        samples().columns(60).print("--sample usage --by project")
    );
}

#[test]
fn help() {
    for command in [
        "",
        "ls",
        "show",
        "context",
        "history",
        "usage",
        "records",
        "check",
        "explain",
        "export",
        "secrets",
        "raw",
        "completions",
    ] {
        let name = if command.is_empty() { "recount" } else { command };
        insta::assert_snapshot!(
            format!("help-{name}"),
            samples().print(&format!("{command} --help"))
        );
    }
}

#[test]
fn completions_and_manual() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = samples().print(&format!("completions {shell}"));
        assert!(script.contains("recount") && script.contains("context"), "{shell}");
    }
    let page = samples().print("man");
    assert!(page.contains(".TH recount 1") && page.contains("\\-\\-sample"), "{page}");
}

#[test]
fn version_names_the_commit() {
    let version = samples().print("--version");
    assert!(version.starts_with(concat!("recount ", env!("CARGO_PKG_VERSION"))), "{version}");
}

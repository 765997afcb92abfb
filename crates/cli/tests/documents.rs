//! The commands of the README work as it says.

use std::fmt::Write as _;

use crate::environment::TestEnvironment;

fn readme() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    std::fs::read_to_string(path).unwrap()
}

/// Writes the outputs of the README anew when `RECOUNT_BLESS` is set.
fn blessed(readme: &str) -> String {
    let mut out = String::new();
    for (n, block) in readme.split("```console\n").enumerate() {
        if n == 0 {
            out.push_str(block);
            continue;
        }
        let (block, rest) = block.split_once("```").unwrap();
        let command = block.lines().next().unwrap();
        let printed = TestEnvironment::new().run(command.trim_start_matches("$ recount ")).stdout;
        let _ = write!(out, "```console\n{command}\n{printed}```{rest}");
    }
    out
}

/// Every block that begins with `$ recount …` shows what the command prints.
#[test]
fn outputs_are_real() {
    if std::env::var_os("RECOUNT_BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
        std::fs::write(path, blessed(&readme())).unwrap();
    }
    let readme = readme();
    let mut blocks = 0;
    for block in readme.split("```console\n").skip(1) {
        let (block, _) = block.split_once("```").unwrap();
        for example in block.split("$ recount ").skip(1) {
            let (arguments, wanted) = example.split_once('\n').unwrap();
            let printed = TestEnvironment::new().run(arguments).stdout;
            let wanted: Vec<&str> = wanted.trim_end().lines().collect();
            // `…` on a line of its own stands for lines that are left out.
            let mut printed = printed.lines();
            let mut skip = false;
            for line in wanted {
                if line.trim() == "…" {
                    skip = true;
                } else if std::mem::take(&mut skip) {
                    assert!(
                        printed.any(|p| p == line),
                        "`recount {arguments}` never prints:\n{line}"
                    );
                } else {
                    assert_eq!(printed.next(), Some(line), "recount {arguments}");
                }
            }
            blocks += 1;
        }
    }
    assert!(blocks >= 4, "{blocks} examples");
}

#[test]
fn it_is_short_and_leads_somewhere() {
    let readme = readme();
    assert!(readme.lines().count() < 300);
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for document in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = std::fs::read_to_string(root.join(document)).unwrap();
        for link in text.split("](").skip(1) {
            let target = link.split(')').next().unwrap();
            if !target.contains("://") && !target.starts_with('#') {
                assert!(root.join(target).exists(), "{document} links to {target}");
            }
        }
    }
}

//! What `show` says of a session and what `usage` counts for it are the same, over the corpus where it stands beside us.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use recount_formats::Harness;
use recount_index::report::{By, counted, rows};
use recount_index::scan::{Options, scan, sources};
use recount_session::usage::resolve;
use recount_store::{Store, discover};

/// The stores of the corpus. Its databases are never opened in place, so those harnesses are left out.
fn stores() -> Vec<Store> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let places =
        [(Harness::Codex, ".codex"), (Harness::ClaudeCode, ".claude"), (Harness::Pi, ".pi/agent")];
    let mut found = Vec::new();
    for (harness, place) in places {
        let cases = std::fs::read_dir(corpus.join(harness.id())).into_iter().flatten().flatten();
        for home in cases.map(|case| case.path().join("home")) {
            let below: PathBuf = home.join(place);
            let root = if below.is_dir() { below } else { home };
            found.push(Store { harness, root });
        }
    }
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/samples");
    for (harness, _) in places {
        found.push(Store { harness, root: samples.join(harness.id()) });
    }
    found
}

#[test]
fn threads_and_rows_agree() {
    let mut compared = 0;
    for store in stores() {
        let scanned = scan(&sources(std::slice::from_ref(&store)).0, Options::default(), None).0;
        let resolved = resolve(&scanned);
        let responses = counted(&scanned, &resolved).map(|c| (c, c.response.cost));
        let rows = rows(responses, &[By::Session], &jiff::tz::TimeZone::UTC);
        let rows: HashMap<&str, _> = rows.iter().map(|r| (r.keys[0].as_str(), r.usage)).collect();
        let discover = discover::of(store.harness).unwrap();
        for head in discover.list(&store.root).sessions {
            let Ok(opened) = discover.open(&head) else { continue };
            let shown = opened.thread(None).usage;
            let row = rows.get(head.id.as_str()).copied().unwrap_or_default();
            // Sums of prices differ in their last digits by the order.
            let plain = |u: recount_session::model::Usage| recount_session::model::Usage {
                cost_usd: None,
                ..u
            };
            assert_eq!(plain(shown), plain(row), "{} {}", store.root.display(), head.id);
            compared += 1;
        }
    }
    assert!(compared >= 8);
}

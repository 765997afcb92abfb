//! What is wrong with a rollout beyond its single records, and what Codex does not show for it.

use recount_formats::{Code, Finding, Position};

use super::prefix::Segments;
use super::record::Rec;
use super::turns::Pending;
use super::{Header, Input, paginated};

/// Gaps and doubles among the ordinals. Codex's projection stops for good at such a place, so that it shows
/// nothing of what follows (corpus-reports: `dup-ordinal-interrupted`).
pub(super) fn ordinals(recs: &[Rec<'_>], segments: &Segments<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (n, (segment, at, what)) in paginated::ordinal_problems(recs).into_iter().enumerate() {
        let Some(source) = segments.all.get(segment).map(|s| &s.source) else { continue };
        findings.push(Finding::new(Code::OrdinalGap, source, at, what));
        if n == 0 {
            let message =
                "Codex's own history can end here; the records behind are shown all the same";
            findings.push(Finding::new(Code::LostToHarness, source, at, message));
        }
    }
    findings
}

/// Turns that only have items: Codex shows neither.
pub(super) fn lost_turns(
    turns: &[Pending],
    recs: &[Rec<'_>],
    segments: &Segments<'_>,
) -> Vec<Finding> {
    let lost = turns.iter().filter(|t| t.lost);
    lost.filter_map(|t| {
        let first = recs.get(*t.order.first()?)?;
        let source = &segments.all.get(first.segment)?.source;
        let message =
            format!("no record opens or ends turn `{}`; Codex does not show it", t.turn.id);
        Some(Finding::new(Code::LostToHarness, source, first.at, message))
    })
    .collect()
}

/// What makes Codex refuse a legacy file as a whole.
pub(super) fn lost_to_codex(findings: &mut Vec<Finding>, input: &Input<'_>, paginated: bool) {
    let reason = if input.bytes.is_empty() {
        Some((Position::WHOLE, "Codex does not read an empty file"))
    } else if paginated {
        None
    } else {
        let own = |f: &&Finding| f.source == *input.source;
        findings.iter().filter(own).find(|f| f.code == Code::InvalidUtf8).map(|f| {
            let at = Position { line: f.line, byte: f.byte, len: 0 };
            (at, "Codex does not read a legacy file with a line that is not UTF-8; the other lines are shown")
        })
    };
    findings.extend(
        reason.map(|(at, message)| Finding::new(Code::LostToHarness, input.source, at, message)),
    );
}

/// A file without a header.
pub(super) fn header(header: &Header<'_>, input: &Input<'_>, recs: &[Rec<'_>]) -> Option<Finding> {
    let missing = header.meta.is_none() && !input.bytes.is_empty();
    missing.then(|| {
        let at = recs.first().map_or(Position::WHOLE, |r| r.at);
        let message = "the file does not begin with `session_meta`; Codex does not read it";
        Finding::new(Code::MissingHeader, input.source, at, message)
    })
}

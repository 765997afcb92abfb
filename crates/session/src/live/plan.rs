//! Plans in streamed text: what stands between a line `<proposed_plan>` and a line `</proposed_plan>`.
//!
//! The text comes in pieces that are cut anywhere, also inside of a tag. A line is held back for as long as it could
//! still become a tag, so that no part of one is ever shown.

const OPEN: &str = "<proposed_plan>";
const CLOSE: &str = "</proposed_plan>";

/// A piece of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Text of the message.
    Text(String),
    /// A plan begins. A message that proposes twice means the later one.
    PlanStart,
    /// Text of the plan.
    Plan(String),
    /// The plan is over.
    PlanEnd,
}

/// Reads streamed text.
#[derive(Debug, Clone, Default)]
pub struct PlanParser {
    in_plan: bool,
    /// The beginning of a line that could still become a tag.
    held: String,
    /// Whether the line has been found to be none.
    plain: bool,
}

impl PlanParser {
    /// Takes the next piece of text.
    pub fn push(&mut self, delta: &str) -> Vec<Piece> {
        let mut out = Vec::new();
        for part in delta.split_inclusive('\n') {
            let ended = part.ends_with('\n');
            if self.plain {
                self.text(&mut out, part);
            } else {
                self.held.push_str(part);
                let line = self.held.trim();
                if ended || !could_be_tag(line) {
                    self.decide(&mut out);
                    self.plain = true;
                }
            }
            if ended {
                self.plain = false;
            }
        }
        out
    }

    /// The text is over. A plan that was not closed is.
    pub fn finish(&mut self) -> Vec<Piece> {
        let mut out = Vec::new();
        self.decide(&mut out);
        if std::mem::take(&mut self.in_plan) {
            out.push(Piece::PlanEnd);
        }
        self.plain = false;
        out
    }

    /// A held line is complete, or cannot become a tag any more.
    fn decide(&mut self, out: &mut Vec<Piece>) {
        let line = std::mem::take(&mut self.held);
        match line.trim() {
            OPEN if !self.in_plan => {
                self.in_plan = true;
                out.push(Piece::PlanStart);
            }
            CLOSE if self.in_plan => {
                self.in_plan = false;
                out.push(Piece::PlanEnd);
            }
            // A tag that changes nothing is no text either.
            OPEN | CLOSE => {}
            _ => self.text(out, &line),
        }
    }

    fn text(&self, out: &mut Vec<Piece>, text: &str) {
        if text.is_empty() {
            return;
        }
        match out.last_mut() {
            Some(Piece::Text(last)) if !self.in_plan => last.push_str(text),
            Some(Piece::Plan(last)) if self.in_plan => last.push_str(text),
            _ if self.in_plan => out.push(Piece::Plan(text.to_owned())),
            _ => out.push(Piece::Text(text.to_owned())),
        }
    }
}

fn could_be_tag(line: &str) -> bool {
    OPEN.starts_with(line) || CLOSE.starts_with(line)
}

/// A whole message: its text without plans, and the plan that it proposes.
pub fn split(message: &str) -> (String, Option<String>) {
    let mut parser = PlanParser::default();
    let mut pieces = parser.push(message);
    pieces.extend(parser.finish());
    let mut text = String::new();
    let mut plan = None;
    for piece in pieces {
        match piece {
            Piece::Text(part) => text.push_str(&part),
            Piece::PlanStart => plan = Some(String::new()),
            Piece::Plan(part) => plan.get_or_insert_default().push_str(&part),
            Piece::PlanEnd => {}
        }
    }
    (text, plan)
}

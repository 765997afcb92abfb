//! What the model thought.

use super::message::InlineSpan;
use crate::history::wire::{object, tagged};

object! {
    /// Running text.
    Paragraph {
        /// The text.
        spans: Vec<InlineSpan>,
    }
}

object! {
    /// An entry of a list.
    Bullet {
        /// How deep, from 0.
        indent: u64,
        /// The sign in front.
        marker: String,
        /// The text.
        spans: Vec<InlineSpan>,
    }
}

object! {
    /// Code.
    CodeBlock {
        /// The code.
        content: String,
        ? /// Its language.
        language: String,
    }
}

object! {
    /// A quotation.
    Quote {
        /// The text.
        spans: Vec<InlineSpan>,
    }
}

object! {
    /// A rule.
    Separator {}
}

tagged! {
    /// A part of a section.
    ReasoningBlock {
        /// Running text.
        Paragraph(Paragraph) = "paragraph",
        /// An entry of a list.
        Bullet(Bullet) = "bullet",
        /// Code.
        Code(CodeBlock) = "code",
        /// A quotation.
        Quote(Quote) = "quote",
        /// A rule.
        Separator(Separator) = "separator",
    }
}

object! {
    /// A section of reasoning.
    ReasoningSection {
        /// What stands there when it is closed.
        summary: Vec<InlineSpan>,
        /// The parts.
        blocks: Vec<ReasoningBlock>,
        ? /// Its heading.
        heading: String,
    }
}

object! {
    /// What the model thought.
    Reasoning {
        /// Whether it still thinks.
        in_progress: bool,
        /// The sections.
        sections: Vec<ReasoningSection>,
        /// Whether nothing is shown of it when it is closed.
        hide_when_collapsed: bool,
    }
}

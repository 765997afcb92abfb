//! What is said: messages, notices, lines and spans.

use crate::history::wire::{object, tagged, words};

words! {
    /// Who a message is from.
    MessageRole {
        /// The harness.
        System = "system",
        /// The person.
        User = "user",
        /// The model.
        Assistant = "assistant",
        /// A tool.
        Tool = "tool",
        /// Something that failed.
        Error = "error",
        /// Something beside the conversation.
        BackgroundEvent = "background_event",
    }
}

words! {
    /// How a message is drawn.
    MessageKind {
        /// Without a mark.
        Plain = "plain",
        /// As the person's words.
        User = "user",
        /// As the model's words.
        Assistant = "assistant",
        /// As a tool's words.
        Tool = "tool",
        /// As an error.
        Error = "error",
        /// As something beside the conversation.
        Background = "background",
        /// As a notice.
        Notice = "notice",
    }
}

words! {
    /// What a text is about, from which a screen picks its colour.
    TextTone {
        /// Ordinary text.
        Default = "default",
        /// Less important.
        Dim = "dim",
        /// More important.
        Primary = "primary",
        /// It went well.
        Success = "success",
        /// Something to look at.
        Warning = "warning",
        /// It failed.
        Error = "error",
        /// Good to know.
        Info = "info",
    }
}

words! {
    /// What a line is.
    LineKind {
        /// Running text.
        Paragraph = "paragraph",
        /// An entry of a list.
        Bullet = "bullet",
        /// Code.
        Code = "code",
        /// A quotation.
        Quote = "quote",
        /// A rule.
        Separator = "separator",
        /// Something about the message.
        Metadata = "metadata",
        /// Nothing.
        Blank = "blank",
    }
}

object! {
    /// How a text is set.
    Emphasis {
        /// Bold.
        bold: bool,
        /// Italic.
        italic: bool,
        /// Dim.
        dim: bool,
        /// Struck out.
        strike: bool,
        /// Underlined.
        underline: bool,
    }
}

object! {
    /// A link.
    Link {
        /// Where it leads.
        href: String,
    }
}

object! {
    /// Code in running text.
    InlineCode {}
}

tagged! {
    /// What a text stands for.
    Entity {
        /// A link.
        Link(Link) = "link",
        /// Code.
        Code(InlineCode) = "code",
    }
}

object! {
    /// Text that is set in one way.
    InlineSpan {
        /// The text.
        text: String,
        /// What it is about.
        tone: TextTone,
        /// How it is set.
        emphasis: Emphasis,
        ? /// What it stands for.
        entity: Entity,
    }
}

object! {
    /// A line of a message.
    MessageLine {
        /// What it is.
        kind: LineKind,
        /// Its text.
        spans: Vec<InlineSpan>,
    }
}

object! {
    /// The head of a message.
    MessageHeader {
        /// What stands there.
        label: String,
        ? /// A word or number beside it.
        badge: String,
    }
}

object! {
    /// Tokens of a response.
    TokenUsage {
        /// Tokens that went in.
        prompt: u64,
        /// Tokens that came out.
        completion: u64,
        /// All of them.
        total: u64,
    }
}

object! {
    /// What is known about a message beside its text.
    MessageMetadata {
        /// Sources.
        citations: Vec<String>,
        ? /// Tokens of the response.
        token_usage: TokenUsage,
    }
}

object! {
    /// Something said or shown as lines.
    PlainMessage {
        /// Who it is from.
        role: MessageRole,
        /// How it is drawn.
        kind: MessageKind,
        /// The lines.
        lines: Vec<MessageLine>,
        ? /// The head.
        header: MessageHeader,
        ? /// What is known about it.
        metadata: MessageMetadata,
    }
}

object! {
    /// Something that happened beside the conversation.
    BackgroundEvent {
        /// What.
        title: String,
        /// More about it.
        description: String,
    }
}

object! {
    /// Something that the person is told.
    Notice {
        /// The lines.
        body: Vec<MessageLine>,
        ? /// What it is about.
        title: String,
    }
}

impl Emphasis {
    /// Set as ordinary text.
    pub fn plain() -> Self {
        Self {
            bold: false,
            italic: false,
            dim: false,
            strike: false,
            underline: false,
            other: crate::history::wire::Unknown::default(),
        }
    }
}

impl InlineSpan {
    /// Ordinary text.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::toned(text, TextTone::Default)
    }

    /// Text of a tone.
    pub fn toned(text: impl Into<String>, tone: TextTone) -> Self {
        Self {
            text: text.into(),
            tone,
            emphasis: Emphasis::plain(),
            entity: crate::history::wire::Maybe::Absent,
            other: crate::history::wire::Unknown::default(),
        }
    }
}

impl MessageLine {
    /// A line of one span; blank without text.
    pub fn new(kind: LineKind, text: &str, tone: TextTone) -> Self {
        let blank = text.is_empty();
        Self {
            kind: if blank { LineKind::Blank } else { kind },
            spans: if blank { Vec::new() } else { vec![InlineSpan::toned(text, tone)] },
            other: crate::history::wire::Unknown::default(),
        }
    }
}

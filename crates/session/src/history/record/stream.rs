//! What the assistant says.

use super::message::{MessageMetadata, TokenUsage};
use crate::history::time::Timestamp;
use crate::history::wire::object;

object! {
    /// A piece of a message, as it came.
    Delta {
        /// The text.
        delta: String,
        /// When it came.
        received_at: Timestamp,
        ? /// Its number in the stream.
        sequence: u64,
    }
}

object! {
    /// A message that is being written.
    AssistantStream {
        /// The stream's id, by which its message is found again.
        stream_id: String,
        /// The text so far. Its beginning may be cut: see `cut_bytes`.
        preview_markdown: String,
        /// The pieces that the text so far consists of.
        deltas: Vec<Delta>,
        /// Sources.
        citations: Vec<String>,
        /// Whether more is to come.
        in_progress: bool,
        /// When the last piece came.
        last_updated_at: Timestamp,
        ? /// What is known about the message.
        metadata: MessageMetadata,
        + /// Ours: so many bytes at the beginning were cut because the stream grew too long.
        cut_bytes: u64,
    }
}

object! {
    /// A message of the assistant.
    AssistantMessage {
        /// The text.
        markdown: String,
        /// Sources.
        citations: Vec<String>,
        /// When it was written.
        created_at: Timestamp,
        ? /// The stream that it came from.
        stream_id: String,
        ? /// What is known about it.
        metadata: MessageMetadata,
        ? /// Tokens of the response.
        token_usage: TokenUsage,
        + /// Ours: so many bytes at the beginning were cut because the stream grew too long.
        cut_bytes: u64,
    }
}

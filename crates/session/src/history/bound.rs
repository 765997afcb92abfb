//! Streams that do not grow without end.

use super::record::exec::OutputChunk;
use super::record::stream::Delta;

/// So many bytes of a stream are kept at most. What the end of a command says is worth more than its beginning, so it is
/// the beginning that goes, half of it at a time: a long stream then costs no more per byte than a short one.
pub(super) const STREAM_BYTES: usize = 256 << 10;

/// The first place at or after `at` where a text may be cut.
pub(super) fn boundary(text: &str, at: usize) -> usize {
    (at..text.len()).find(|&n| text.is_char_boundary(n)).unwrap_or(text.len())
}

/// How many bytes of a stream of this length have to go.
const fn excess(bytes: usize) -> usize {
    if bytes > STREAM_BYTES { bytes - STREAM_BYTES / 2 } else { 0 }
}

/// Adds output. The offset of the first chunk tells how much was cut before it. `bytes` is the sum over the chunks.
pub(super) fn push_output(chunks: &mut Vec<OutputChunk>, bytes: &mut usize, content: String) {
    if content.is_empty() {
        return;
    }
    let offset = chunks.last().map_or(0, |c| c.offset.saturating_add(c.content.len() as u64));
    *bytes += content.len();
    chunks.push(OutputChunk { offset, content, other: super::Unknown::default() });
    let mut excess = excess(*bytes);
    let mut gone = 0;
    for chunk in chunks.iter_mut() {
        if excess == 0 {
            break;
        }
        let cut = boundary(&chunk.content, excess.min(chunk.content.len()));
        *bytes -= cut;
        excess = excess.saturating_sub(cut);
        if cut == chunk.content.len() {
            gone += 1;
        } else {
            chunk.content.drain(..cut);
            chunk.offset = chunk.offset.saturating_add(cut as u64);
        }
    }
    chunks.drain(..gone);
}

/// Adds text to a message that is being written; gives how many bytes were cut at its beginning.
pub(super) fn push_text(text: &mut String, deltas: &mut Vec<Delta>, delta: Delta) -> u64 {
    text.push_str(&delta.delta);
    deltas.push(delta);
    let excess = excess(text.len());
    if excess == 0 {
        return 0;
    }
    let cut = boundary(text, excess);
    text.drain(..cut);
    // The pieces may hold more or less than the text, in a snapshot from elsewhere: they are bounded by themselves.
    let mut kept = 0;
    let first = deltas.iter().rposition(|d| {
        kept += d.delta.len();
        kept > text.len()
    });
    if let Some(first) = first {
        let over = kept - text.len();
        deltas.drain(..first);
        if let Some(delta) = deltas.first_mut() {
            let cut = boundary(&delta.delta, over.min(delta.delta.len()));
            delta.delta.drain(..cut);
        }
    }
    cut as u64
}

#[cfg(test)]
mod tests {
    use super::{STREAM_BYTES, push_output, push_text};
    use crate::history::record::exec::cut_bytes;
    use crate::history::record::stream::Delta;
    use crate::history::{Maybe, Timestamp, Unknown};

    fn delta(text: &str) -> Delta {
        Delta {
            delta: text.into(),
            received_at: Timestamp::unknown(),
            sequence: Maybe::Absent,
            other: Unknown::default(),
        }
    }

    #[test]
    fn a_long_output_keeps_its_end_and_tells_what_went() {
        let (mut chunks, mut bytes) = (Vec::new(), 0);
        let mut whole = String::new();
        for n in 0..100_000 {
            let text = format!("line {n} é\n");
            whole.push_str(&text);
            push_output(&mut chunks, &mut bytes, text);
        }
        let kept: String = chunks.iter().map(|c| c.content.as_str()).collect();
        assert_eq!(kept.len(), bytes);
        assert!(bytes <= STREAM_BYTES);
        assert!(whole.ends_with(&kept));
        assert_eq!(cut_bytes(&chunks), (whole.len() - kept.len()) as u64);
    }

    #[test]
    fn one_chunk_that_is_too_long_is_cut_between_characters() {
        let (mut chunks, mut bytes) = (Vec::new(), 0);
        push_output(&mut chunks, &mut bytes, "é".repeat(STREAM_BYTES));
        assert_eq!(chunks.len(), 1);
        assert!(bytes <= STREAM_BYTES && chunks[0].content.starts_with('é'));
        assert_eq!(chunks[0].offset as usize + bytes, 2 * STREAM_BYTES);
    }

    #[test]
    fn a_long_message_is_bounded_with_its_pieces() {
        let (mut text, mut deltas, mut cut) = (String::new(), Vec::new(), 0);
        for n in 0..100_000 {
            cut += push_text(&mut text, &mut deltas, delta(&format!("wörd {n} ")));
        }
        assert!(text.len() <= STREAM_BYTES && text.ends_with("wörd 99999 "));
        let pieces: String = deltas.iter().map(|d| d.delta.as_str()).collect();
        assert_eq!(pieces, text);
        let whole: usize = (0..100_000).map(|n| format!("wörd {n} ").len()).sum();
        assert_eq!(cut as usize, whole - text.len());
    }
}

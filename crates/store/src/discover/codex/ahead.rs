//! Reading a large rollout on two cores: one reads and glances at the lines, the other takes those that matter.

use std::io::{self, Read};
use std::sync::mpsc::sync_channel;

use memchr::memrchr;
use recount_formats::Position;
use recount_formats::jsonl::{DEFAULT_LIMIT, Line, Part, lines};
use recount_session::rebuild::codex::{Glance, Glances, Needs, Shown};

/// How much is read at a time.
const BLOCK: usize = 512 << 10;
/// How many blocks may wait, so that little of a file is in memory.
const WAITING: usize = 4;

/// Whole lines.
struct Block {
    bytes: Vec<u8>,
    /// How long each of them is, and what it tells by itself.
    lines: Vec<(usize, Glance)>,
}

/// Hands all lines to `shown`; whether the last one was cut off.
pub(super) fn read(file: impl Read + Send, shown: &mut Shown) -> io::Result<Result<bool, Needs>> {
    in_blocks(file, shown, BLOCK)
}

fn in_blocks(
    file: impl Read + Send,
    shown: &mut Shown,
    size: usize,
) -> io::Result<Result<bool, Needs>> {
    let glances = shown.glances();
    let mut blocks = Blocks { file, glances, size, rest: Vec::new(), byte: 0, line: 0 };
    std::thread::scope(|scope| {
        let (send, receive) = sync_channel(WAITING);
        scope.spawn(move || {
            // Nobody waits for more once it is known that the rollout cannot be read so.
            while let Some(block) = blocks.next().transpose() {
                let failed = block.is_err();
                if send.send(block).is_err() || failed {
                    break;
                }
            }
        });
        let mut torn = false;
        let mut at = Position { line: 0, byte: 0, len: 0 };
        for block in receive {
            let block = block?;
            let mut bytes = block.bytes.as_slice();
            for (len, glance) in block.lines {
                let (raw, rest) = bytes.split_at(len);
                bytes = rest;
                at = Position { line: at.line + 1, byte: at.byte + at.len, len: len as u64 };
                let line = Line { at, raw, part: Part::Whole };
                torn = !line.is_terminated();
                if let Err(needs) = shown.glanced(&line, glance) {
                    return Ok(Err(needs));
                }
            }
        }
        Ok(Ok(torn))
    })
}

/// The blocks of a file.
struct Blocks<R> {
    file: R,
    glances: Glances,
    /// How much is read at a time.
    size: usize,
    /// The beginning of a line.
    rest: Vec<u8>,
    /// How much came before, in bytes and lines.
    byte: u64,
    line: u64,
}

impl<R: Read> Blocks<R> {
    fn next(&mut self) -> io::Result<Option<Block>> {
        let mut bytes = std::mem::take(&mut self.rest);
        loop {
            let before = bytes.len();
            bytes.resize(before + self.size, 0);
            let n = loop {
                match self.file.read(&mut bytes[before..]) {
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                    read => break read?,
                }
            };
            bytes.truncate(before + n);
            if n == 0 {
                break;
            }
            if let Some(n) = memrchr(b'\n', &bytes[before..]) {
                self.rest = bytes.split_off(before + n + 1);
                break;
            }
            if bytes.len() > DEFAULT_LIMIT {
                let text = format!("line {} is longer than {DEFAULT_LIMIT} bytes", self.line + 1);
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
            }
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        let (byte, before) = (self.byte, self.line);
        let glance = |line: Line<'_>| {
            let at = Position { line: before + line.at.line, byte: byte + line.at.byte, ..line.at };
            (line.raw.len(), self.glances.at(&Line { at, ..line }))
        };
        let lines: Vec<_> = lines(&bytes).map(glance).collect();
        self.byte += bytes.len() as u64;
        self.line += lines.len() as u64;
        Ok(Some(Block { bytes, lines }))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

    use super::*;
    use crate::discover::codex::tests::homes;
    use crate::discover::{Discover as _, codex::Codex};

    type Outcome = Result<(bool, String), Needs>;

    fn outcome(read: Result<bool, Needs>, shown: Shown) -> Outcome {
        let torn = read?;
        let thread = shown.finish("t", &[])?;
        Ok((torn, format!("{:?} {:?} {:?}", thread.status, thread.usage, thread.turns)))
    }

    #[test]
    fn blocks_of_any_size_read_as_line_by_line() {
        let mut read = 0;
        for home in homes() {
            for head in Codex.list(&home).sessions {
                let Ok((mut bytes, None)) = crate::container::file::read(&head.path) else {
                    continue;
                };
                bytes.truncate(bytes.len().min(200_000));
                let source = "rollout.jsonl".into();
                for bytes in [&bytes[..], &bytes[..bytes.len() / 2]] {
                    let mut shown = Shown::counting(&source).with_usage();
                    let taken = lines(bytes).try_for_each(|line| shown.line(&line));
                    let torn = !bytes.is_empty() && !bytes.ends_with(b"\n");
                    let one_by_one = outcome(taken.map(|()| torn), shown);
                    for (size, counting) in [(1 << 10, true), (90, true), (90, false)] {
                        let shown =
                            if counting { Shown::counting(&source) } else { Shown::new(&source) };
                        let mut shown = shown.with_usage();
                        let taken = in_blocks(bytes, &mut shown, size).unwrap();
                        let in_blocks = outcome(taken, shown);
                        if counting || in_blocks != Err(Needs::Count) {
                            assert_eq!(in_blocks, one_by_one, "{} {size}", head.path.display());
                        }
                        read += 1;
                    }
                }
            }
        }
        assert!(read > 10, "{read}");
    }
}

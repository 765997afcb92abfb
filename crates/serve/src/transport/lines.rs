//! Messages as lines.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc;

use crate::rpc::{self, Error};

/// The longest message that is read: requests are short.
pub const LONGEST: usize = 4 << 20;

/// A line from a client.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A whole one, without its end.
    Whole(Vec<u8>),
    /// One that was too long; it was skipped.
    TooLong,
}

/// Reads a line; nothing at the end.
pub async fn read(input: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let available = input.fill_buf().await?;
        if available.is_empty() {
            return Ok(match (too_long, line.is_empty()) {
                (true, _) => Some(Line::TooLong),
                (false, true) => None,
                // A client may leave out the last line's end.
                (false, false) => Some(Line::Whole(line)),
            });
        }
        let end = available.iter().position(|&b| b == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        if line.len() + part.len() > LONGEST {
            too_long = true;
            line = Vec::new();
        } else if !too_long {
            line.extend_from_slice(part);
        }
        let used = end.map_or(available.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(Some(if too_long { Line::TooLong } else { Line::Whole(line) }));
        }
    }
}

/// Reads lines until the end and passes them on. What is too long is refused.
pub async fn read_all(
    mut input: impl AsyncBufRead + Unpin,
    lines: mpsc::Sender<Vec<u8>>,
    out: mpsc::Sender<Vec<u8>>,
) -> io::Result<()> {
    while let Some(line) = read(&mut input).await? {
        let taken = match line {
            Line::Whole(line) => lines.send(line).await.is_ok(),
            Line::TooLong => {
                let text = format!("the message is longer than {LONGEST} bytes");
                out.send(rpc::refusal(None, &Error::invalid_request(text))).await.is_ok()
            }
        };
        if !taken {
            break;
        }
    }
    Ok(())
}

/// Writes what is to be sent, until there is nothing more. Many small lines go out together.
pub async fn write_all(
    mut output: impl AsyncWrite + Unpin,
    mut lines: mpsc::Receiver<Vec<u8>>,
) -> io::Result<()> {
    while let Some(line) = lines.recv().await {
        output.write_all(&line).await?;
        drop(line);
        while let Ok(line) = lines.try_recv() {
            output.write_all(&line).await?;
        }
        output.flush().await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8], buffer: usize) -> Vec<Line> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut input = tokio::io::BufReader::with_capacity(buffer, input);
            let mut found = Vec::new();
            while let Some(line) = read(&mut input).await.unwrap() {
                found.push(line);
            }
            found
        })
    }

    #[test]
    fn lines_end_where_they_end() {
        let whole = |text: &[u8]| Line::Whole(text.to_vec());
        for buffer in [1, 2, 3, 100] {
            assert_eq!(lines(b"a\n\nbc", buffer), [whole(b"a"), whole(b""), whole(b"bc")]);
            assert_eq!(lines(b"", buffer), []);
        }
    }

    #[test]
    fn a_line_without_end_takes_no_memory() {
        let mut input = vec![b'x'; LONGEST + 1];
        input.extend_from_slice(b"\nnext\n");
        assert_eq!(lines(&input, 1 << 16), [Line::TooLong, Line::Whole(b"next".to_vec())]);
    }
}

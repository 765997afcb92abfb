//! Code with its words, strings, numbers and comments told apart.

use std::io::{self, Write};

use recount_text::highlight::{self, Kind, Token};

use super::escape;

/// Longer code is written as it is: each piece that is told apart costs a browser an element.
pub(super) const MOST: usize = 200_000;
/// And so much of what was read of a file: agents read far more than people look at.
const MOST_READ: usize = 32_000;

/// Writes code. A language is what stands behind a fence, or the ending of a file; of one that is not known, nothing is told
/// apart.
pub(crate) fn write(out: &mut dyn Write, language: &str, code: &str) -> io::Result<()> {
    let lines = if code.len() > MOST { None } else { highlight::lines(language, code) };
    let Some(lines) = lines else { return escape::write(out, code) };
    for (n, line) in lines.iter().enumerate() {
        if n > 0 {
            out.write_all(b"\n")?;
        }
        tokens(out, line)?;
    }
    Ok(())
}

/// Writes what a tool read of a file, which may have the number of each line before it.
pub(crate) fn read(out: &mut dyn Write, language: &str, text: &str) -> io::Result<()> {
    let lines = if text.len() > MOST_READ { None } else { highlight::numbered(language, text) };
    let Some(lines) = lines else { return escape::write(out, text) };
    for (n, (number, line)) in lines.iter().enumerate() {
        if n > 0 {
            out.write_all(b"\n")?;
        }
        if !number.is_empty() {
            out.write_all(b"<span class=line-no>")?;
            escape::write(out, number)?;
            out.write_all(b"</span>")?;
        }
        tokens(out, line)?;
    }
    Ok(())
}

/// Writes a line of code.
pub(super) fn tokens(out: &mut dyn Write, line: &[Token<'_>]) -> io::Result<()> {
    for token in line {
        let class = match token.kind {
            Kind::Plain => {
                escape::write(out, token.text)?;
                continue;
            }
            Kind::Keyword => "k",
            Kind::String => "s",
            Kind::Comment => "c",
            Kind::Number => "n",
        };
        write!(out, "<span class={class}>")?;
        escape::write(out, token.text)?;
        out.write_all(b"</span>")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    fn html(language: &str, code: &str) -> String {
        let mut out = Vec::new();
        super::write(&mut out, language, code).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn kinds_have_classes_and_every_sign_stays() {
        assert_eq!(
            html("rust", "let a = \"<b>\"; // 1\nf(2)\n"),
            "<span class=k>let</span> a = <span class=s>&quot;&lt;b&gt;&quot;</span>; \
             <span class=c>// 1</span>\nf(<span class=n>2</span>)\n"
        );
        assert_eq!(html("no such language", "let a < 1;\n"), "let a &lt; 1;\n");
    }

    #[test]
    fn what_was_read_keeps_its_numbers() {
        let mut out = Vec::new();
        super::read(&mut out, "rs", " 1\tlet <\nb").unwrap();
        let html = String::from_utf8(out).unwrap();
        assert_eq!(html, "<span class=line-no> 1\t</span><span class=k>let</span> &lt;\nb");
    }

    #[test]
    fn code_of_many_pieces_is_written_as_it_is() {
        let code = "1 ".repeat(super::MOST / 2 + 1);
        assert_eq!(html("rust", &code), code);
    }
}

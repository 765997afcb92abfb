//! Taking the terminal over, and giving it back whatever happens.

use std::io::{self, Stdout, Write as _, stdout};
use std::sync::Once;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

/// The screen that the program draws on.
pub type Screen = Terminal<CrosstermBackend<Stdout>>;

/// The terminal, while the program has it.
#[derive(Debug)]
pub struct Taken {
    /// The screen.
    pub screen: Screen,
}

impl Taken {
    /// Takes the terminal over. It is given back when this goes, and before a panic is told.
    pub fn new() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let told = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| {
                give_back();
                told(info);
            }));
        });
        take()?;
        let screen = Terminal::new(CrosstermBackend::new(stdout()));
        if screen.is_err() {
            give_back();
        }
        Ok(Self { screen: screen? })
    }

    /// Lets another program have the terminal for as long as it runs.
    pub fn lend<T>(&mut self, to: impl FnOnce() -> T) -> io::Result<T> {
        give_back();
        let done = to();
        take()?;
        self.screen.clear()?;
        Ok(done)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        give_back();
    }
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste)
}

fn give_back() {
    // There is nobody to tell: each step is tried whatever the others did.
    let _ =
        execute!(stdout(), DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

/// Terminals take so much at once, in base64.
const MOST: usize = 100_000;

/// What puts text on the clipboard of the terminal's machine, wherever the program runs (OSC 52); and whether all of it fits.
pub fn clipboard(text: &str) -> (String, bool) {
    let most = MOST / 4 * 3;
    let end = if text.len() <= most {
        text.len()
    } else {
        (0..=most).rev().find(|n| text.is_char_boundary(*n)).unwrap_or(0)
    };
    (format!("\u{1b}]52;c;{}\u{7}", STANDARD.encode(&text[..end])), end == text.len())
}

/// Puts text on the clipboard; tells whether all of it fits.
pub fn copy(text: &str) -> io::Result<bool> {
    let (sequence, whole) = clipboard(text);
    let mut out = stdout();
    out.write_all(sequence.as_bytes())?;
    out.flush()?;
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::clipboard;

    #[test]
    fn the_clipboard_takes_text_up_to_a_limit() {
        assert_eq!(clipboard("hé"), ("\u{1b}]52;c;aMOp\u{7}".to_owned(), true));
        let (long, whole) = clipboard(&"é".repeat(100_000));
        assert!(!whole && long.len() < 100_100);
    }
}

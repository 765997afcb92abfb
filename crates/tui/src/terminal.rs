//! Taking the terminal over, and giving it back whatever happens.

use std::io::{self, Stdout, Write as _, stdout};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{MoveTo, Show};
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::style::Print;
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal};

use crate::picture::{self, Graphics, Picture};

/// The screen that the program draws on.
pub type Screen = Terminal<CrosstermBackend<Stdout>>;

/// The terminal, while the program has it.
#[derive(Debug)]
pub struct Taken {
    /// The screen.
    pub screen: Screen,
    /// Whether what is typed there comes by the standard input.
    #[cfg(unix)]
    is_input: bool,
}

impl Taken {
    /// Takes the terminal over. It is given back when this goes, and before a panic is told.
    pub fn new() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let told = std::panic::take_hook();
            let screen = std::thread::current().id();
            std::panic::set_hook(Box::new(move |info| {
                // What ends a worker does not end the program: the worker says it in the bar at the bottom.
                if std::thread::current().id() == screen {
                    give_back();
                    told(info);
                }
            }));
        });
        let screen = take().and_then(|()| Terminal::new(CrosstermBackend::new(stdout())));
        if screen.is_err() {
            give_back();
        }
        Ok(Self {
            screen: screen?,
            #[cfg(unix)]
            is_input: io::IsTerminal::is_terminal(&io::stdin()),
        })
    }

    /// Draws the screen. Terminals that know of it show a frame when it is whole, and not before.
    pub fn draw(&mut self, view: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        execute!(stdout(), BeginSynchronizedUpdate)?;
        let drawn = self.screen.draw(view).map(|_| ());
        execute!(stdout(), EndSynchronizedUpdate)?;
        drawn
    }

    /// Waits until something is typed, so long at most.
    pub fn wait(&self, most: Duration) -> io::Result<Waited> {
        #[cfg(unix)]
        if self.is_input {
            // What reads from a terminal that is gone finds the end of its input, and would look again without end.
            return match gone::wait(most) {
                gone::Look::Gone => Ok(Waited::Gone),
                gone::Look::Waited => Ok(Waited::of(event::poll(Duration::ZERO)?)),
                gone::Look::Unknown => Ok(Waited::of(event::poll(most)?)),
            };
        }
        Ok(Waited::of(event::poll(most)?))
    }

    /// Lets another program have the terminal for as long as it runs, or a shell while this one is stopped.
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

/// What came of waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waited {
    /// Nothing.
    Nothing,
    /// Something was typed.
    Typed,
    /// The terminal is not there any more: its window was closed.
    Gone,
}

impl Waited {
    const fn of(typed: bool) -> Self {
        if typed { Self::Typed } else { Self::Nothing }
    }
}

#[cfg(unix)]
mod gone {
    use std::io::stdin;
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    pub(super) enum Look {
        Gone,
        Waited,
        /// Some systems do not tell for terminals.
        Unknown,
    }

    /// Waits for input, so long at most.
    pub(super) fn wait(most: Duration) -> Look {
        let stdin = stdin();
        let mut looked = [PollFd::new(&stdin, PollFlags::IN)];
        let Ok(most) = Timespec::try_from(most) else { return Look::Unknown };
        match poll(&mut looked, Some(&most)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return Look::Unknown,
        }
        let [looked] = &looked;
        if looked.revents().contains(PollFlags::HUP) {
            Look::Gone
        } else if looked.revents().intersects(PollFlags::ERR | PollFlags::NVAL) {
            Look::Unknown
        } else {
            Look::Waited
        }
    }
}

/// Whether the program has the terminal.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Whether the program has the terminal now, and no editor.
pub(crate) fn is_taken() -> bool {
    TAKEN.load(Ordering::SeqCst)
}

fn take() -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste)
}

/// Gives the terminal back, if the program has it.
pub(crate) fn give_back() {
    // Given back twice, some terminals put the cursor above what was told between.
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
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
    let end = text.floor_char_boundary(most);
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

/// Draws a picture at its place.
pub fn picture(picture: &Picture, graphics: Graphics, at: Rect) -> io::Result<()> {
    let sequence = picture.sequence(graphics, at.width, at.height);
    execute!(stdout(), MoveTo(at.x, at.y), Print(sequence))
}

/// Takes the pictures off the screen.
pub fn remove_pictures(graphics: Graphics) -> io::Result<()> {
    execute!(stdout(), Print(picture::remove(graphics)))
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Read as _;
    use std::process::{Command, Stdio};
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use rustix::io::{FdFlags, fcntl_setfd};
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    use super::{Taken, Waited, clipboard};
    use crate::signals::{self, Asked, Signals};

    #[test]
    fn the_clipboard_takes_text_up_to_a_limit() {
        assert_eq!(clipboard("hé"), ("\u{1b}]52;c;aMOp\u{7}".to_owned(), true));
        let (long, whole) = clipboard(&"é".repeat(100_000));
        assert!(!whole && long.len() < 100_100);
    }

    /// Says to the program that runs in a terminal what is to happen there.
    const CASE: &str = "RECOUNT_TERMINAL_CASE";

    /// Runs only in the terminals that the other tests make.
    #[test]
    fn in_a_terminal() {
        let Ok(case) = std::env::var(CASE) else { return };
        let mut taken = Taken::new().unwrap();
        taken.draw(|frame| frame.render_widget("drawn", frame.area())).unwrap();
        match &*case {
            "panic" => panic!("as asked for"),
            "worker" => {
                let worker = std::thread::spawn(|| panic!("as asked for"));
                assert!(worker.join().is_err());
                taken.draw(|frame| frame.render_widget("LATER", frame.area())).unwrap();
            }
            "closed" => {
                let waited = std::iter::repeat_with(|| taken.wait(Duration::from_millis(50)));
                let last = waited.map(Result::unwrap).find(|waited| *waited != Waited::Nothing);
                drop(taken);
                assert_eq!(last, Some(Waited::Gone));
                signals::end(SIGHUP);
            }
            "SIGTERM" | "SIGHUP" | "SIGINT" => {
                let signal = match &*case {
                    "SIGTERM" => SIGTERM,
                    "SIGHUP" => SIGHUP,
                    _ => SIGINT,
                };
                let mut signals = Signals::new().unwrap();
                signal_hook::low_level::raise(signal).unwrap();
                let asked = std::iter::repeat_with(|| signals.asked());
                let asked = asked.inspect(|_| std::thread::sleep(Duration::from_millis(5)));
                let asked = asked.take(400).flatten().next();
                drop(taken);
                assert_eq!(asked, Some(Asked::End(signal)));
                signals::end(signal);
            }
            _ => {}
        }
    }

    /// A terminal, and the name of its other end.
    fn terminal() -> (File, String) {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        // A program must not hold its own terminal open.
        fcntl_setfd(&terminal, FdFlags::CLOEXEC).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        let name = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
        let size = Winsize { ws_row: 5, ws_col: 20, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&terminal, size).unwrap();
        (File::from(terminal), name)
    }

    fn end(name: &str) -> File {
        File::options().read(true).write(true).open(name).unwrap()
    }

    /// What runs a case in the terminal of this name.
    fn program(case: &str, name: &str) -> Command {
        let mut program = Command::new(std::env::current_exe().unwrap());
        program
            .args(["--exact", "terminal::tests::in_a_terminal", "--nocapture"])
            .env(CASE, case)
            .env("TERM", "xterm")
            .stdin(end(name))
            .stdout(end(name));
        program
    }

    /// What a terminal got in which that ran, and whether it reads lines and shows what is typed afterwards.
    fn run(case: &str) -> (String, bool) {
        let (terminal, name) = terminal();
        // Kept open, so that its state can be looked at.
        let kept = end(&name);
        let mut child = program(case, &name).stderr(end(&name)).spawn().unwrap();
        let (sender, receiver) = channel();
        let mut reader = terminal;
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(n) = reader.read(&mut part) {
                if n == 0 || sender.send(part[..n].to_vec()).is_err() {
                    break;
                }
            }
        });
        child.wait().unwrap();
        let modes = tcgetattr(&kept).unwrap().local_modes;
        let mut got = Vec::new();
        while let Ok(part) = receiver.recv_timeout(Duration::from_millis(300)) {
            got.extend(part);
        }
        (
            String::from_utf8_lossy(&got).into_owned(),
            modes.contains(LocalModes::ICANON | LocalModes::ECHO),
        )
    }

    #[test]
    fn a_terminal_that_is_closed_ends_the_program() {
        use std::os::unix::process::ExitStatusExt as _;

        let (terminal, name) = terminal();
        let mut child = program("closed", &name).stderr(Stdio::piped()).spawn().unwrap();
        let mut terminal = terminal;
        let mut got = Vec::new();
        // The frame is whole.
        while !String::from_utf8_lossy(&got).contains("?2026l") {
            let mut part = [0; 4096];
            let n = terminal.read(&mut part).unwrap();
            got.extend(&part[..n]);
        }
        drop(terminal);
        for _ in 0..1000 {
            if let Some(status) = child.try_wait().unwrap() {
                let mut told = String::new();
                child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
                assert_eq!(status.signal(), Some(SIGHUP), "{told}");
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        child.kill().unwrap();
        panic!("it goes on without a terminal");
    }

    #[test]
    fn the_terminal_is_given_back_whatever_happens() {
        for case in ["end", "panic", "worker", "SIGTERM", "SIGHUP", "SIGINT"] {
            let (got, cooked) = run(case);
            assert!(cooked, "{case}: {got:?}");
            let at = |what: &str| got.rfind(what).unwrap_or_else(|| panic!("{case}: {got:?}"));
            // The other screen, the mouse, pasting: off after they were on; the cursor is there.
            for (on, off) in [("?1049h", "?1049l"), ("?1000h", "?1000l"), ("?2004h", "?2004l")] {
                assert!(at(on) < at(off), "{case}: {got:?}");
            }
            assert!(at("?25h") > at("drawn"), "{case}: {got:?}");
            // What happened is told where it can be read: after the screen was left.
            match case {
                "panic" => assert!(at("as asked for") > at("?1049l"), "{got:?}"),
                // By a signal it ended, and not by coming to its end.
                "SIGTERM" | "SIGHUP" | "SIGINT" => assert!(!got.contains("test result"), "{got:?}"),
                "worker" => assert!(!got.contains("as asked for") && got.contains("LATER")),
                _ => {}
            }
        }
    }
}

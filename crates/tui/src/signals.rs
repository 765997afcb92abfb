//! Signals: what ends the program lets it give the terminal back first, and so does what stops it.
//!
//! A thread takes them. While the program has the terminal they wait until its loop asks for them; while an editor has it, what
//! is typed there is the editor's business, and all else happens at once.

#[cfg(unix)]
pub use unix::{Signals, end, end_without_terminal, is_terminal_gone, stop};

#[cfg(not(unix))]
pub use other::{Signals, end, end_without_terminal, is_terminal_gone, stop};

/// What the system asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// To end, by this signal.
    End(i32),
    /// To stop until the shell goes on.
    Stop,
    /// To go on: somebody else had the terminal meanwhile.
    GoOn,
}

#[cfg(unix)]
mod unix {
    use std::io;
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGSTOP, SIGTERM, SIGTSTP};
    use signal_hook::iterator;
    use signal_hook::low_level::{emulate_default_handler, raise};

    use super::Asked;
    use crate::terminal;

    /// So long the loop may take to end by itself.
    const PATIENCE: Duration = Duration::from_secs(1);

    /// Whether the terminal is not there any more.
    pub fn is_terminal_gone() -> bool {
        rustix::termios::tcgetattr(io::stdout()).is_err_and(|e| e == rustix::io::Errno::IO)
    }

    /// Ends the program as the loss of its terminal does.
    pub fn end_without_terminal() {
        end(SIGHUP);
    }

    /// Takes signals from now on.
    #[derive(Debug)]
    pub struct Signals(Receiver<Asked>);

    impl Signals {
        /// Takes them.
        pub fn new() -> io::Result<Self> {
            let all = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT];
            let mut signals = iterator::Signals::new(all)?;
            let (sender, asked) = channel();
            std::thread::spawn(move || {
                for signal in signals.forever() {
                    let what = match signal {
                        SIGTSTP => Asked::Stop,
                        SIGCONT => Asked::GoOn,
                        signal => Asked::End(signal),
                    };
                    if terminal::is_taken() {
                        // Nobody asks any more once the program ends by itself.
                        let _ = sender.send(what);
                        if let Asked::End(signal) = what {
                            // Whatever the loop is at, it does not keep the program from ending.
                            std::thread::sleep(PATIENCE);
                            terminal::give_back();
                            end(signal);
                        }
                        continue;
                    }
                    match what {
                        // Typed to an editor, which does with it what it likes.
                        Asked::End(SIGINT | SIGQUIT) | Asked::GoOn => {}
                        Asked::End(signal) => end(signal),
                        // An editor stops all that runs with it.
                        Asked::Stop => stop(),
                    }
                }
            });
            Ok(Self(asked))
        }

        /// What was asked for since.
        pub fn asked(&mut self) -> Vec<Asked> {
            self.0.try_iter().collect()
        }
    }

    /// Ends the program as the signal does, so that who waits for it sees by what it ended.
    pub fn end(signal: i32) {
        // Nothing is left to be done where even that fails: the program ends in the ordinary way.
        let _ = emulate_default_handler(signal);
    }

    /// Stops the program. It returns when somebody goes on with it, and does nothing where no shell could.
    pub fn stop() {
        if !leads() {
            let _ = raise(SIGSTOP);
        }
    }

    /// Whether the terminal was opened for this program alone.
    fn leads() -> bool {
        let leader = rustix::termios::tcgetsid(io::stdin());
        let own = i32::try_from(std::process::id()).ok();
        leader.is_ok_and(|leader| Some(leader.as_raw_nonzero().get()) == own)
    }
}

#[cfg(not(unix))]
mod other {
    use std::io;

    use super::Asked;

    /// There are none here.
    #[derive(Debug)]
    pub struct Signals;

    impl Signals {
        /// Takes none.
        pub fn new() -> io::Result<Self> {
            Ok(Self)
        }

        /// Nothing.
        pub fn asked(&mut self) -> Vec<Asked> {
            Vec::new()
        }
    }

    /// Does nothing.
    pub fn end(_: i32) {}

    /// Nobody tells.
    pub fn is_terminal_gone() -> bool {
        false
    }

    /// Does nothing.
    pub fn end_without_terminal() {}

    /// Does nothing.
    pub fn stop() {}
}

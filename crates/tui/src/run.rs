//! The loop: what happens is taken in turn, then the screen is drawn once.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use ratatui::crossterm::event::{self, Event};
use recount_index::cost::Rates;
use recount_store::Stores;
use recount_text::text;

use crate::keymap::Keymap;
use crate::picture::Graphics;
use crate::signals::{self, Asked, Signals};
use crate::state::{Overlay, State};
use crate::terminal::{self, Taken, Waited};
use crate::theme::Theme;
use crate::update::{Effect, Message, update};
use crate::view;
use crate::worker::Workers;
use crate::worker::bill::Prices;
use crate::worker::seek::{Sources, Times};

/// What the program is started with.
#[derive(Debug)]
pub struct Options {
    /// Where sessions are.
    pub stores: Stores,
    /// Colours.
    pub theme: Theme,
    /// Gives the time.
    pub clock: fn() -> Timestamp,
    /// What keys do.
    pub keymap: Keymap,
    /// The folder for caches; without one there is none beyond this run.
    pub cache: Option<PathBuf>,
    /// The prices that a person set, by model.
    pub prices: BTreeMap<String, Rates>,
    /// Reads times in queries.
    pub times: Times,
    /// A session to open at once: its id, or the beginning of it.
    pub open: Option<String>,
}

/// While something is being read, its answer is looked for so often.
const BUSY: Duration = Duration::from_millis(4);
/// Otherwise so often.
const CALM: Duration = Duration::from_millis(120);
/// The list is read again so often.
const RELIST: Duration = Duration::from_secs(15);

/// Shows sessions until somebody quits, or the system ends it.
pub fn run(options: Options) -> io::Result<()> {
    // The terminal is given back by now.
    let ended = match shown(options) {
        // What was drawn when it went could not be written.
        Err(_) if signals::is_terminal_gone() => Ended::Closed,
        ended => ended?,
    };
    match ended {
        Ended::Quit => {}
        Ended::By(signal) => signals::end(signal),
        Ended::Closed => signals::end_without_terminal(),
    }
    Ok(())
}

/// What ended it.
enum Ended {
    /// The person.
    Quit,
    /// A signal.
    By(i32),
    /// The terminal is gone.
    Closed,
}

fn shown(options: Options) -> io::Result<Ended> {
    let prices = Prices { own: options.prices, cache: options.cache.clone() };
    let cache = options.cache.clone();
    let places = options.stores.stores.iter().map(|s| (s.harness, s.root.clone())).collect();
    let sources = Sources { cache: options.cache, times: options.times, clock: options.clock };
    let (workers, found) = Workers::start(options.stores, sources, prices);
    // The stores are read while the terminal is set up.
    if let Some(cache) = cache {
        workers.remember(cache);
    }
    workers.list();
    let mut signals = Signals::new()?;
    let mut taken = Taken::new()?;
    let size = taken.screen.size()?;
    let mut state = State::new((size.width, size.height), options.theme, (options.clock)());
    state.keymap = options.keymap;
    state.places = places;
    state.graphics = Graphics::of(|name| std::env::var(name).ok());
    let mut first = options.open.map(Message::Named);
    let mut listed = Instant::now();
    let mut drawn = None;
    // Where the terminal has drawn a picture itself.
    let mut pictured = None;
    loop {
        // Ages are told to the minute.
        let minute = state.now.as_second() / 60;
        if drawn != Some(minute) {
            taken.draw(|frame| view::draw(frame, &mut state))?;
            drawn = Some(minute);
            let place = state.areas.picture;
            if place != pictured {
                if let (Some(place), Some(Overlay::Picture(picture))) = (place, &state.overlay) {
                    terminal::picture(picture, state.graphics, place)?;
                }
                pictured = place;
            }
        }
        let busy = state.opening.is_some() || !state.list.listed;
        let mut messages: Vec<Message> = first.take().into_iter().collect();
        let waited = taken.wait(if busy || !messages.is_empty() { BUSY } else { CALM })?;
        if waited == Waited::Gone {
            return Ok(Ended::Closed);
        }
        if waited == Waited::Typed {
            // All that is there at once: a wheel sends more than a screen can draw.
            loop {
                match event::read()? {
                    Event::Key(key) => messages.push(Message::Key(key)),
                    Event::Mouse(mouse) => messages.push(Message::Mouse(mouse)),
                    Event::Paste(text) => messages.push(Message::Paste(text)),
                    Event::Resize(columns, rows) => messages.push(Message::Resize(columns, rows)),
                    Event::FocusGained | Event::FocusLost => {}
                }
                if !event::poll(Duration::ZERO)? {
                    break;
                }
            }
        }
        messages.extend(found.try_iter());
        let mut stop = false;
        for asked in signals.asked() {
            match asked {
                Asked::End(signal) => return Ok(Ended::By(signal)),
                Asked::Stop => stop = true,
                // Who had the terminal meanwhile left it as they liked it.
                Asked::GoOn => messages.push(taken.lend(|| ()).and_then(|()| resized(&taken))?),
            }
        }
        if !messages.is_empty() {
            drawn = None;
        }
        messages.push(Message::Tick((options.clock)()));
        if listed.elapsed() > RELIST && state.list.listed {
            listed = Instant::now();
            workers.list();
        }
        for message in messages {
            for effect in update(&mut state, message) {
                let done = match effect {
                    Effect::Quit => return Ok(Ended::Quit),
                    Effect::Suspend => {
                        stop = true;
                        None
                    }
                    Effect::List => {
                        workers.list();
                        None
                    }
                    Effect::Open { ticket, session, leaf } => {
                        workers.open(ticket, session, leaf);
                        None
                    }
                    Effect::Follow(on) => {
                        workers.follow(on);
                        None
                    }
                    Effect::Seek(query) => {
                        workers.seek(query);
                        None
                    }
                    Effect::Picture { ticket, place } => {
                        workers.picture(ticket, place);
                        Some("reading the picture…".to_owned())
                    }
                    Effect::Redraw => {
                        terminal::remove_pictures(state.graphics)?;
                        pictured = None;
                        taken.screen.clear()?;
                        None
                    }
                    Effect::Copy(words) => Some(copied(&words)),
                    Effect::Edit(words) => Some(taken.lend(|| edit(&words))?),
                };
                if let Some(done) = done {
                    update(&mut state, Message::Done(done));
                }
            }
        }
        if stop {
            terminal::remove_pictures(state.graphics)?;
            pictured = None;
            taken.lend(signals::stop)?;
            update(&mut state, resized(&taken)?);
            drawn = None;
        }
    }
}

/// The size of the screen, which may have changed while nobody looked.
fn resized(taken: &Taken) -> io::Result<Message> {
    let size = taken.screen.size()?;
    Ok(Message::Resize(size.width, size.height))
}

fn copied(words: &str) -> String {
    // Pasted into a shell, an escape sequence is a command.
    let words = text::clean_tabbed(words);
    match terminal::copy(&words) {
        Ok(true) => format!("copied: {}", text::line(text::beginning(&words, 200))),
        Ok(false) => "copied the beginning: the clipboard takes no more".to_owned(),
        Err(e) => format!("cannot copy: {e}"),
    }
}

/// Editors with a window of their own return at once and read the file later.
const AT_ONCE: Duration = Duration::from_secs(1);

/// Opens text in the editor that the environment names.
fn edit(words: &str) -> String {
    let editor = ["VISUAL", "EDITOR"].into_iter().find_map(|n| std::env::var(n).ok());
    let editor = editor.filter(|e| !e.trim().is_empty()).unwrap_or_else(|| "vi".to_owned());
    let done = || -> Result<String, String> {
        let mut command = shell_words::split(&editor).map_err(|e| e.to_string())?.into_iter();
        let program = command.next().ok_or("it is empty")?;
        let file = tempfile::Builder::new()
            .prefix("recount-")
            .suffix(".md")
            .tempfile()
            .map_err(|e| e.to_string())?;
        std::fs::write(file.path(), words).map_err(|e| e.to_string())?;
        let begun = Instant::now();
        let status = Command::new(program).args(command).arg(file.path()).status();
        let status = status.map_err(|e| e.to_string())?;
        if !status.success() {
            return Ok(format!("the editor `{editor}` failed: {status}"));
        }
        if begun.elapsed() > AT_ONCE {
            return Ok("back from the editor; sessions are never changed".to_owned());
        }
        let (_, path) = file.keep().map_err(|e| e.to_string())?;
        Ok(format!("in the editor: {}, which stays", path.display()))
    };
    done().unwrap_or_else(|why| format!("cannot start the editor `{editor}`: {why}"))
}

//! Who may write in a thread.
//!
//! Codex (seen in 0.164) locks `thread-writer-locks/<thread>.lock` for as long as it has a thread loaded, with an
//! advisory lock (`flock`), and takes or gives back such a lock while it holds `.coordination.lock` beside it; the
//! file is removed when the lock is given back. [`WriterLock`] does the same, so each keeps the other away. Older
//! versions and the other harnesses lock nothing: whether one of them writes is told by who has the file open
//! ([`writers`]) and by Claude Code's register of running sessions ([`registered`]).

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The folder of the locks in a Codex home.
pub const FOLDER: &str = "thread-writer-locks";
const COORDINATION: &str = ".coordination.lock";
/// How long the lock that guards all others is waited for. It is held for the time of a few system calls.
const PATIENCE: Duration = Duration::from_secs(5);

/// A process that works with a thread.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// What it is called, where that can be told.
    pub name: Option<String>,
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name} (process {})", self.pid),
            None => write!(f, "process {}", self.pid),
        }
    }
}

/// Somebody else writes in a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// What is held.
    pub path: PathBuf,
    /// By whom, as far as that can be told.
    pub by: Vec<Process>,
}

/// Why a lock was not taken.
#[derive(Debug)]
pub enum LockError {
    /// Somebody has it.
    Held(Held),
    /// It cannot be told.
    Io(io::Error),
}

impl From<io::Error> for LockError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The right to write in a Codex thread, given back when this is dropped.
#[derive(Debug)]
pub struct WriterLock {
    file: File,
    path: PathBuf,
    folder: PathBuf,
}

impl WriterLock {
    /// Takes the lock of a thread in the Codex home `root`.
    pub fn acquire(root: &Path, thread_id: &str) -> Result<Self, LockError> {
        let folder = root.join(FOLDER);
        fs::create_dir_all(&folder)?;
        let path = folder.join(format!("{thread_id}.lock"));
        let _coordination = coordination(&folder)?;
        let file = open(&path)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { file, path, folder }),
            Err(TryLockError::WouldBlock) => {
                let by = holders(&path, false);
                Err(LockError::Held(Held { path, by }))
            }
            Err(TryLockError::Error(e)) => Err(e.into()),
        }
    }
}

impl Drop for WriterLock {
    fn drop(&mut self) {
        // Without the coordination lock the file stays: removing it could take it from under one who opens it.
        if coordination(&self.folder).is_ok() {
            let _ = fs::remove_file(&self.path);
        }
        let _ = self.file.unlock();
    }
}

/// The lock under which others are taken and given back; freed when the file is closed.
fn coordination(folder: &Path) -> io::Result<File> {
    let file = open(&folder.join(COORDINATION))?;
    let since = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if since.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "the locks stay taken"));
            }
            Err(TryLockError::Error(e)) => return Err(e),
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create(true).truncate(false).open(path)
}

/// The other processes that have a file open for writing. Nothing where the system does not tell.
pub fn writers(path: &Path) -> Vec<Process> {
    holders(path, true)
}

/// The other processes that have a file open, by Linux's `/proc`.
fn holders(path: &Path, for_writing: bool) -> Vec<Process> {
    let Ok(path) = path.canonicalize() else { return Vec::new() };
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let own = std::process::id();
    processes
        .flatten()
        .filter_map(|p| p.file_name().to_str()?.parse::<u32>().ok())
        .filter(|&pid| pid != own && has_open(pid, &path, for_writing))
        .map(|pid| Process { pid, name: name_of(pid) })
        .collect()
}

fn has_open(pid: u32, path: &Path, for_writing: bool) -> bool {
    let Ok(files) = fs::read_dir(format!("/proc/{pid}/fd")) else { return false };
    files.flatten().any(|file| {
        fs::read_link(file.path()).is_ok_and(|target| target == path)
            && (!for_writing || is_writable(pid, &file.file_name().to_string_lossy()))
    })
}

/// Whether a file was opened for writing: the two lowest bits of its flags, which are octal, say so.
fn is_writable(pid: u32, number: &str) -> bool {
    let info = fs::read_to_string(format!("/proc/{pid}/fdinfo/{number}")).unwrap_or_default();
    let flags = info.lines().find_map(|l| l.strip_prefix("flags:"));
    flags.and_then(|f| u32::from_str_radix(f.trim(), 8).ok()).is_none_or(|f| f & 0b11 != 0)
}

fn name_of(pid: u32) -> Option<String> {
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    Some(name.trim().to_owned()).filter(|n| !n.is_empty())
}

/// The running Claude Code that has a session open, by its register `sessions/<pid>.json`. An entry whose process is
/// gone is a leftover of a crash.
pub fn registered(root: &Path, session_id: &str) -> Option<Process> {
    let entries = fs::read_dir(root.join("sessions")).ok()?;
    entries.flatten().find_map(|entry| {
        let path = entry.path();
        let pid: u32 = path.file_stem()?.to_str()?.parse().ok()?;
        let text = fs::read_to_string(&path).ok()?;
        let known = recount_formats::json::parse(&text).ok()?;
        let same = known.str("sessionId").is_some_and(|id| id == session_id);
        (same && is_alive(pid)).then(|| Process { pid, name: name_of(pid) })
    })
}

/// Whether a process is there. Where that cannot be told it counts as there.
fn is_alive(pid: u32) -> bool {
    let proc = Path::new("/proc/self");
    !proc.exists() || Path::new(&format!("/proc/{pid}")).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_and_nothing_is_left_behind() -> io::Result<()> {
        let home = tempfile::tempdir()?;
        let lock = home.path().join(FOLDER).join("t.lock");
        let first = WriterLock::acquire(home.path(), "t");
        assert!(first.is_ok() && lock.exists());
        assert!(matches!(WriterLock::acquire(home.path(), "t"), Err(LockError::Held(_))));
        assert!(WriterLock::acquire(home.path(), "other").is_ok(), "each thread has its own");
        drop(first);
        assert!(!lock.exists());
        assert!(WriterLock::acquire(home.path(), "t").is_ok());
        Ok(())
    }

    #[test]
    fn only_a_live_claude_holds_its_session() -> io::Result<()> {
        let home = tempfile::tempdir()?;
        let sessions = home.path().join("sessions");
        fs::create_dir(&sessions)?;
        let own = std::process::id();
        fs::write(sessions.join(format!("{own}.json")), r#"{"sessionId":"s","pid":1}"#)?;
        // No process has this number: it is above every system's limit.
        fs::write(sessions.join("4294967294.json"), r#"{"sessionId":"gone"}"#)?;
        fs::write(sessions.join("notes.json"), "{")?;
        assert_eq!(registered(home.path(), "s").map(|p| p.pid), Some(own));
        assert_eq!(registered(home.path(), "other"), None);
        if cfg!(target_os = "linux") {
            assert_eq!(registered(home.path(), "gone"), None);
        }
        Ok(())
    }
}

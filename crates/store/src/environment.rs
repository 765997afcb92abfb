//! What decides where stores are.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// The environment variables that decide where stores are, taken once, so that tests can give their own.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    vars: BTreeMap<String, OsString>,
}

impl Environment {
    /// The process's environment.
    pub fn of_process() -> Self {
        std::env::vars_os().filter_map(|(k, v)| Some((k.into_string().ok()?, v))).collect()
    }

    /// A variable that is set and not empty.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        self.vars.get(name).filter(|v| !v.is_empty()).map(PathBuf::from)
    }

    /// Where recount's caches live: `RECOUNT_CACHE_DIR`, else a folder in the platform's cache folder.
    pub fn cache_folder(&self) -> Option<PathBuf> {
        if let Some(folder) = self.path("RECOUNT_CACHE_DIR") {
            return Some(folder);
        }
        let platform = if cfg!(windows) {
            self.path("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            self.home().map(|home| home.join("Library").join("Caches"))
        } else {
            // A relative path counts as not set (XDG base directories).
            self.path("XDG_CACHE_HOME")
                .filter(|path| path.is_absolute())
                .or_else(|| self.home().map(|home| home.join(".cache")))
        };
        platform.map(|folder| folder.join("recount"))
    }

    /// Where the person's settings are: `RECOUNT_CONFIG`, else a file in the platform's folder for settings.
    pub fn config_file(&self) -> Option<PathBuf> {
        if let Some(file) = self.path("RECOUNT_CONFIG") {
            return Some(file);
        }
        let platform = if cfg!(windows) {
            self.path("APPDATA")
        } else {
            self.path("XDG_CONFIG_HOME")
                .filter(|path| path.is_absolute())
                .or_else(|| self.home().map(|home| home.join(".config")))
        };
        platform.map(|folder| folder.join("recount").join("config.toml"))
    }

    /// The home folder.
    pub fn home(&self) -> Option<PathBuf> {
        self.path("HOME").or_else(|| self.path("USERPROFILE"))
    }
}

impl<K: Into<String>, V: Into<OsString>> FromIterator<(K, V)> for Environment {
    fn from_iter<T: IntoIterator<Item = (K, V)>>(iter: T) -> Self {
        Self { vars: iter.into_iter().map(|(k, v)| (k.into(), v.into())).collect() }
    }
}

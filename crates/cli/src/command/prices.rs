//! What sessions cost, for people. Programs get what the harness stored, and `usage` computes for them.

use std::sync::{Mutex, PoisonError};

use recount_index::Cache;
use recount_index::cost::{Pricer, Source};
use recount_session::model::Thread;

use crate::args::Global;
use crate::error::Error;

/// The prices, asked for once.
pub(super) struct Prices {
    pricer: Mutex<Pricer>,
    cache: Option<Cache>,
}

impl Prices {
    pub(super) fn of(global: &Global) -> Result<Self, Error> {
        let (pricer, cache) =
            super::usage::pricer(super::index_folder(global).map(Cache::at), Source::Auto)?;
        Ok(Self { pricer: Mutex::new(pricer), cache })
    }

    /// Says what a thread cost, where its harness did not and there is a price for each of its responses.
    pub(super) fn price(&self, thread: &mut Thread) {
        if thread.usage.cost_usd.is_none() && thread.usage.responses > 0 {
            let mut pricer = self.pricer.lock().unwrap_or_else(PoisonError::into_inner);
            thread.usage.cost_usd = pricer.sum(thread.harness, &thread.responses).all();
        }
    }
}

impl Drop for Prices {
    fn drop(&mut self) {
        if let (Some(cache), Ok(pricer)) = (&self.cache, self.pricer.get_mut()) {
            pricer.keep(cache);
        }
    }
}

//! A chat's store as the rebuild sees it: settings, blobs, sidecars.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;

use recount_formats::cursor_agent::store::Blobs;
use recount_formats::{Json, json};

use crate::rebuild::Input;

/// Name of the companion that is the list's sidecar.
pub(super) const META_JSON: &str = "meta.json";
/// Name of the companion that is the readable copy of the chat.
pub(super) const MIRROR: &str = "mirror.jsonl";

/// The title that stands for none.
const UNTITLED: &str = "New Agent";

/// A chat's store.
pub(super) struct Chat<'a> {
    pub(super) input: Input<'a>,
    /// The settings row; `null` when it is missing or damaged.
    pub(super) settings: Json<'a>,
    names: OnceCell<HashSet<String>>,
}

impl<'a> Chat<'a> {
    pub(super) fn new(input: Input<'a>) -> Self {
        let settings = std::str::from_utf8(input.bytes)
            .ok()
            .and_then(|text| json::parse(text).ok())
            .filter(|json| json.is_object())
            .unwrap_or(Json::NULL);
        Self { input, settings, names: OnceCell::new() }
    }

    /// A setting that says something.
    pub(super) fn setting(&self, key: &str) -> Option<String> {
        self.settings.str(key).filter(|s| !s.is_empty()).map(Cow::into_owned)
    }

    /// The list's sidecar.
    pub(super) fn sidecar(&self) -> Option<String> {
        let bytes = self.input.companions.read(META_JSON)?;
        String::from_utf8(bytes.into_owned()).ok().filter(|text| json::parse(text).is_ok())
    }

    /// The title, unless it is the one that every chat starts with.
    pub(super) fn title(&self, sidecar: Option<Json<'_>>) -> Option<String> {
        let told = self.setting("name").filter(|name| name != UNTITLED);
        told.or_else(|| {
            let title = sidecar?.str("title")?.into_owned();
            (!title.is_empty() && title != UNTITLED).then_some(title)
        })
        .or_else(|| self.input.facts.title.clone())
    }

    /// The store's own id of the chat.
    pub(super) fn agent_id(&self) -> Option<String> {
        self.setting("agentId")
    }

    /// A file's text among the companions.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        Some(String::from_utf8_lossy(&self.input.companions.read(name)?).into_owned())
    }
}

impl Blobs for Chat<'_> {
    fn get(&self, id: &str) -> Option<Cow<'_, [u8]>> {
        // Ids are hexadecimal, so no sidecar can be taken for a blob.
        if id.is_empty() || !id.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        self.input.companions.read(id)
    }

    fn has(&self, id: &str) -> bool {
        self.names.get_or_init(|| self.input.companions.names().into_iter().collect()).contains(id)
    }
}

/// A time as RFC 3339. The store's numbers are milliseconds; other units are told by their size (contract, `createdAt`).
pub(super) fn rfc3339(number: i64) -> Option<String> {
    crate::time::rfc3339(milliseconds(number)?)
}

/// A time in milliseconds, whatever its unit.
pub(super) fn milliseconds(number: i64) -> Option<i64> {
    match number {
        ..=0 => None,
        1..100_000_000_000 => number.checked_mul(1000),
        100_000_000_000..100_000_000_000_000 => Some(number),
        100_000_000_000_000..100_000_000_000_000_000 => Some(number / 1000),
        _ => Some(number / 1_000_000),
    }
}

/// The member of a JSON object as a time.
pub(super) fn time(json: Json<'_>, key: &str) -> Option<String> {
    rfc3339(json.get(key)?.as_f64()? as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_any_unit() {
        let expected = Some("2025-10-09T08:53:20.000Z".to_owned());
        for number in
            [1_760_000_000, 1_760_000_000_000, 1_760_000_000_000_000, 1_760_000_000_000_000_000]
        {
            assert_eq!(rfc3339(number), expected, "{number}");
        }
        assert_eq!(rfc3339(0), None);
        assert_eq!(rfc3339(-5), None);
        assert_eq!(rfc3339(i64::MAX), Some("2262-04-11T23:47:16.854Z".to_owned()));
    }
}

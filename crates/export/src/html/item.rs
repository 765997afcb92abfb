//! One item alone, for pages that show a thread piece by piece.

use std::borrow::Cow;
use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use recount_session::model::{Item, ItemKind, Thread};

use super::Page;
use super::escape::escaped;
use crate::family::Alone;
use crate::options::Options;
use crate::prose;
use crate::told::{self, Places};
use recount_text::text;

/// How an item is written alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct How<'a> {
    /// So many bytes of each text in it are shown; a button offers the rest, by the item's id. Nothing for all.
    pub most: Option<usize>,
    /// Where its images are found: what stands before and behind their numbers; nothing when they stand in the HTML.
    pub images: Option<(&'a str, &'a str)>,
}

/// What is gathered while an item is written alone.
pub(super) struct Single<'a> {
    pub(super) most: Option<usize>,
    pub(super) id: &'a str,
    pub(super) left: usize,
    place: Option<(&'a str, &'a str)>,
    images: usize,
    /// The number of an image that is looked for, and it.
    wanted: Option<(usize, Option<String>)>,
}

impl Single<'_> {
    /// The address of the next image.
    pub(super) fn address<'u>(&mut self, url: &'u str) -> Cow<'u, str> {
        let number = self.images;
        self.images += 1;
        if let Some((wanted, found)) = &mut self.wanted
            && *wanted == number
        {
            *found = Some(url.to_owned());
        }
        match self.place {
            None => Cow::Borrowed(url),
            Some((before, behind)) => {
                Cow::Owned(format!("{}{number}{}", escaped(before), escaped(behind)))
            }
        }
    }
}

/// Writes one item; `anchor` is the id of its element, of letters and digits. Gives how many bytes of its texts were left
/// out.
pub fn write(
    thread: &Thread,
    item: &Item,
    anchor: &str,
    how: How<'_>,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<usize> {
    let page = render(thread, item, anchor, how, None, options, out)?;
    Ok(page.left)
}

/// An image of an item by its number: its kind and bytes. Only those that are shown have one.
pub fn image(thread: &Thread, item: &Item, number: usize) -> Option<(String, Vec<u8>)> {
    let wanted = Some((number, None));
    let options = Options::default();
    let how = How { most: Some(0), images: None };
    let mut nowhere = io::sink();
    let page = render(thread, item, "", how, wanted, &options, &mut nowhere).ok()?;
    let url = page.wanted?.1?;
    let (head, data) = url.strip_prefix("data:")?.split_once(',')?;
    let kind = head.strip_suffix(";base64")?;
    Some((kind.to_owned(), STANDARD.decode(data).ok()?))
}

fn render<'a>(
    thread: &Thread,
    item: &'a Item,
    anchor: &str,
    how: How<'a>,
    wanted: Option<(usize, Option<String>)>,
    options: &'a Options,
    out: &'a mut dyn Write,
) -> io::Result<Single<'a>> {
    let single =
        Single { most: how.most, id: &item.id, left: 0, place: how.images, images: 0, wanted };
    let mut page = Page { single: Some(single), ..Page::new(out, &Alone, options) };
    page.item(anchor, item, thread)?;
    page.single.ok_or_else(|| io::ErrorKind::Other.into())
}

/// What items of a turn are about, in one harmless line of so many characters at most: what a person asked, else what they begin
/// with.
pub fn about(thread: &Thread, items: &[Item], chars: usize) -> String {
    let item = items.iter().find(|item| item.kind.is_prompt()).or_else(|| items.first());
    item.map(|item| excerpt(thread, item, chars)).unwrap_or_default()
}

/// What an item is about, in one harmless line of so many characters at most.
pub fn excerpt(thread: &Thread, item: &Item, chars: usize) -> String {
    let line = |content: &str| {
        // Blank lines at the beginning count for nothing.
        text::line(text::beginning(content.trim_start(), chars)).into_owned()
    };
    match &item.kind {
        ItemKind::UserMessage { content, .. } => {
            let parts = content.iter().take(4).map(prose::input);
            line(&parts.collect::<Vec<_>>().join(" "))
        }
        ItemKind::HookPrompt { fragments } => {
            line(fragments.first().map_or("", |fragment| &fragment.text))
        }
        ItemKind::AgentMessage { text, .. }
        | ItemKind::Plan { text }
        | ItemKind::Notice { text, .. } => line(text),
        ItemKind::Reasoning { summary, content } => {
            line(prose::reasoning(summary, content).next().unwrap_or(""))
        }
        ItemKind::EnteredReviewMode { review } | ItemKind::ExitedReviewMode { review } => {
            line(review)
        }
        ItemKind::ContextCompaction { summary, .. } => line(summary.as_deref().unwrap_or("")),
        _ => {
            let places = Places { cwd: thread.cwd.as_deref(), home: "" };
            let told = told::calls(item, places);
            let Some(first) = told.first() else { return String::new() };
            line(&format!("{} {}", first.call.verb, first.call.object))
        }
    }
}

//! Threads as one HTML page that needs nothing else and is read without JavaScript, too.
//!
//! - [`mod@escape`]: foreign text in HTML
//! - [`item`](mod@item): one item alone, for pages that show a thread piece by piece
//! - [`mod@markdown`], [`mod@code`], [`mod@diff`], [`image`]: what stands in messages
//!
//! A policy in the page allows its own style and script by their hashes and nothing else: even text that would break out
//! of its place could load, run and send nothing.

mod code;
pub(crate) mod diff;
pub mod escape;
mod image;
pub mod item;
mod markdown;
mod page;

use std::borrow::Cow;
use std::io::{self, Write};

use recount_session::model::item::{NoticeLevel, UserInput};
use recount_session::model::{Aside, Item, ItemKind, Subagent, Thread, Turn};

use self::escape::escaped;
use self::image::Shown;
use self::item::Single;
pub(crate) use self::page::{begin, end};
use crate::ahead::{self, Next};
use crate::call::End;
use crate::family::{Alone, Family, Nest, Whole};
use crate::options::{Options, Tools};
use crate::prose;
use crate::told::{self, Part, Places, Told};
use crate::{about, json};
use recount_text::{amount, highlight, text};

/// Writes a thread as a page.
pub fn write(
    whole: &Whole,
    family: &dyn Family,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    let thread = &whole.thread;
    let title = about::title(thread);
    let title = if title.is_empty() { "Session" } else { &title };
    begin(out, title)?;
    writeln!(out, "<header><h1 dir=auto>{}</h1>", escaped(title))?;
    facts(out, thread, options)?;
    out.write_all(b"</header>\n")?;
    navigation(out, whole, options)?;
    out.write_all(b"<main id=main>\n")?;
    let mut page = Page { level: 2, ..Page::new(out, family, options) };
    if let Some(told) = prose::findings(&whole.thread) {
        writeln!(page.out, "<p class=note><a href=\"#findings\">Findings</a>: {told}.</p>")?;
    }
    page.body(whole)?;
    writeln!(page.out, "</main>\n<footer>{}</footer>", escaped(&prose::written_by(options)))?;
    end(page.out)
}

fn facts(out: &mut dyn Write, thread: &Thread, options: &Options) -> io::Result<()> {
    out.write_all(b"<dl>")?;
    for (label, value) in about::facts(thread, &options.zone, "", false) {
        write!(out, "<dt>{label}</dt><dd>{}</dd>", escaped(&value))?;
    }
    out.write_all(b"</dl>\n")
}

fn navigation(out: &mut dyn Write, whole: &Whole, options: &Options) -> io::Result<()> {
    let turns = &whole.thread.turns;
    if turns.len() < 2 && whole.asides.is_empty() {
        return Ok(());
    }
    let count = amount::plural(turns.len(), "turn", "turns");
    writeln!(out, "<nav aria-label=Turns><details open><summary>{count}</summary><ol>")?;
    for (n, turn) in turns.iter().enumerate() {
        writeln!(
            out,
            "<li><a href=\"#t{}\" dir=auto>{}</a></li>",
            n + 1,
            escaped(&prose::asked(&whole.thread, turn, 0))
        )?;
    }
    out.write_all(b"</ol>")?;
    if options.branches && !whole.asides.is_empty() {
        out.write_all(b"<ul>")?;
        for (n, aside) in prose::asides(whole) {
            let name = prose::asked_aside(&whole.thread, aside);
            writeln!(out, "<li><a href=\"#b{}\" dir=auto>↳ {}</a></li>", n + 1, escaped(&name))?;
        }
        out.write_all(b"</ul>")?;
    }
    out.write_all(b"</details></nav>\n")
}

/// Branches that leave in a turn, in order: number of the item before which one does, number of the branch.
type Forks<'a> = &'a [(usize, usize, &'a Aside)];

struct Page<'a> {
    out: &'a mut dyn Write,
    family: &'a dyn Family,
    options: &'a Options,
    /// What ids of elements begin with in this thread or branch.
    prefix: String,
    /// Level of the headings of turns.
    level: usize,
    above: Vec<String>,
    /// How many other threads were begun.
    threads: usize,
    /// Set where one item is written alone.
    single: Option<Single<'a>>,
}

impl<'a> Page<'a> {
    fn new(out: &'a mut dyn Write, family: &'a dyn Family, options: &'a Options) -> Self {
        let (prefix, above) = (String::new(), Vec::new());
        Self { out, family, options, prefix, level: 3, above, threads: 0, single: None }
    }
}

impl Page<'_> {
    fn put(&mut self, html: &str) -> io::Result<()> {
        self.out.write_all(html.as_bytes())
    }

    fn body(&mut self, whole: &Whole) -> io::Result<()> {
        let thread = &whole.thread;
        let mut nest = Nest::of(thread, self.family, &self.above, self.options.subagents);
        let asides: Vec<(usize, &Aside)> =
            if self.options.branches { prose::asides(whole).collect() } else { Vec::new() };
        let mut ahead = self.ahead(thread);
        for (n, turn) in thread.turns.iter().enumerate() {
            let here = asides.iter().filter(|(_, aside)| aside.shared_turns == n);
            let mut forks: Vec<(usize, usize, &Aside)> =
                here.map(|&(n, a)| (a.shared_items(&thread.turns), n, a)).collect();
            forks.sort_by_key(|(item, ..)| *item);
            self.turn(n + 1, (turn, 0), thread, &mut nest, (&forks, ahead.as_deref_mut()))?;
        }
        for (n, aside) in asides.iter().filter(|(_, a)| a.shared_turns >= thread.turns.len()) {
            self.fork(*n, aside, thread)?;
        }
        for (n, aside) in asides {
            let prefix = format!("{}b{}", self.prefix, n + 1);
            writeln!(
                self.out,
                "<section class=branch id={prefix}><h{0}>{1}</h{0}>",
                self.level,
                escaped(&prose::aside(aside, thread))
            )?;
            let outer = std::mem::replace(&mut self.prefix, format!("{prefix}-"));
            for (n, turn, shared) in aside.own_turns(&thread.turns) {
                self.turn(n + 1, (turn, shared), thread, &mut nest, (&[], None))?;
            }
            self.prefix = outer;
            self.put("</section>\n")?;
        }
        for line in prose::left_out(whole, self.options) {
            writeln!(self.out, "<p class=note>{}</p>", escaped(&line))?;
        }
        for agent in nest.rest() {
            self.agent(agent, &nest)?;
        }
        if !thread.findings.is_empty() {
            let count = amount::plural(thread.findings.len(), "finding", "findings");
            writeln!(
                self.out,
                "<details class=findings id={}findings><summary>{count}</summary><ul>",
                self.prefix
            )?;
            for finding in &thread.findings {
                writeln!(self.out, "<li>{}</li>", escaped(&prose::finding(finding)))?;
            }
            self.put("</ul></details>\n")?;
        }
        Ok(())
    }

    /// The items of the active branch, written ahead.
    fn ahead<'t>(&self, thread: &'t Thread) -> Option<Box<Next<'t>>>
    where
        Self: 't,
    {
        let turns = thread.turns.iter().enumerate();
        let prefix = &self.prefix;
        let jobs = turns.flat_map(|(t, turn)| {
            let id = move |n| format!("{prefix}t{}-{}", t + 1, n + 1);
            turn.items.iter().enumerate().map(move |(n, item)| (id(n), item))
        });
        let options = self.options;
        ahead::of(jobs.collect(), move |(id, item), out| {
            Page::new(out, &Alone, options).item(id, item, thread)
        })
    }

    /// Says that a branch leaves here.
    fn fork(&mut self, n: usize, aside: &Aside, thread: &Thread) -> io::Result<()> {
        writeln!(
            self.out,
            "<p class=fork>↳ Another branch leaves here: <a href=\"#{}b{}\" dir=auto>{}</a></p>",
            self.prefix,
            n + 1,
            escaped(&prose::asked_aside(thread, aside))
        )
    }

    /// Says which branches leave up to an item, and goes on behind those.
    fn forks(&mut self, forks: &mut Forks<'_>, item: usize, thread: &Thread) -> io::Result<()> {
        while let Some(((_, n, aside), rest)) = forks.split_first().filter(|(f, _)| f.0 <= item) {
            self.fork(*n, aside, thread)?;
            *forks = rest;
        }
        Ok(())
    }

    /// A turn, but for so many items at its beginning.
    fn turn(
        &mut self,
        number: usize,
        (turn, skipped): (&Turn, usize),
        thread: &Thread,
        nest: &mut Nest<'_>,
        (mut forks, mut ahead): (Forks<'_>, Option<&mut Next<'_>>),
    ) -> io::Result<()> {
        self.forks(&mut forks, 0, thread)?;
        let id = format!("{}t{number}", self.prefix);
        let facts = prose::turn_facts(turn, &self.options.zone);
        writeln!(
            self.out,
            "<section class=turn id={id}><h{0}><a href=\"#{id}\">Turn {number}</a> <small>{1}</small></h{0}>",
            self.level,
            escaped(&facts)
        )?;
        for (n, item) in turn.items.iter().enumerate().skip(skipped) {
            self.forks(&mut forks, n, thread)?;
            match &mut ahead {
                Some(next) => self.out.write_all(&next()?)?,
                None => self.item(&format!("{id}-{}", n + 1), item, thread)?,
            }
            for agent in nest.at(item) {
                self.agent(agent, nest)?;
            }
        }
        self.forks(&mut forks, usize::MAX, thread)?;
        if let Some(error) = &turn.error {
            write!(
                self.out,
                "<div class=\"notice error\" dir=auto><p>✗ {}</p>",
                escaped(error.message.trim())
            )?;
            if let Some(details) = &error.additional_details {
                self.pre("", details, "")?;
            }
            self.put("</div>\n")?;
        }
        self.put("</section>\n")
    }

    fn item(&mut self, id: &str, item: &Item, thread: &Thread) -> io::Result<()> {
        match &item.kind {
            ItemKind::UserMessage { content, .. } => self.user(id, content),
            ItemKind::AgentMessage { text, .. } => self.prose(id, "agent", "", text, item),
            ItemKind::Plan { text } => self.prose(id, "plan", "Plan", text, item),
            ItemKind::Reasoning { .. } if !self.options.reasoning => Ok(()),
            ItemKind::Reasoning { summary, content } => {
                let mut parts = prose::reasoning(summary, content);
                let Some(first) = parts.next() else { return Ok(()) };
                let heading = first.trim().lines().next().unwrap_or("").replace("**", "");
                let heading = text::line(text::beginning(&heading, 300));
                let mut parts = parts.peekable();
                if parts.peek().is_none() && *heading == *first.trim() {
                    // There is nothing to open.
                    return writeln!(
                        self.out,
                        "<p class=think id={id} dir=auto><span class=verb>think</span> {}</p>",
                        escaped(&heading)
                    );
                }
                writeln!(
                    self.out,
                    "<details class=think id={id}><summary><span class=verb>think</span> {}</summary><div class=md dir=auto>",
                    escaped(&heading)
                )?;
                self.markdown(first)?;
                for part in parts {
                    self.markdown(part)?;
                }
                self.put("</div></details>\n")
            }
            ItemKind::EnteredReviewMode { review } => {
                writeln!(
                    self.out,
                    "<p class=divider id={id} dir=auto>Review: {}</p>",
                    escaped(review)
                )
            }
            ItemKind::ExitedReviewMode { review } => {
                self.prose(id, "plan", "Review ended", review, item)
            }
            ItemKind::ContextCompaction { summary, trigger } => {
                let by = trigger.as_deref().map(|t| format!(" ({t})")).unwrap_or_default();
                let name = format!("History compacted{by}");
                match summary.as_deref().filter(|s| !s.trim().is_empty()) {
                    None => writeln!(self.out, "<p class=divider id={id}>{}</p>", escaped(&name)),
                    Some(summary) => {
                        writeln!(
                            self.out,
                            "<details class=divider id={id}><summary>{}</summary><div class=md dir=auto>",
                            escaped(&name)
                        )?;
                        self.markdown(summary)?;
                        self.put("</div></details>\n")
                    }
                }
            }
            ItemKind::Notice { level, text } => {
                let class = match level {
                    NoticeLevel::Info => "info",
                    NoticeLevel::Warning => "warning",
                    NoticeLevel::Error => "error",
                };
                let text = text.trim();
                write!(self.out, "<div class=\"notice {class}\" id={id} dir=auto><b>{class}</b> ")?;
                if text.contains('\n') {
                    self.put("<div class=md>")?;
                    self.markdown(text)?;
                    self.put("</div></div>\n")
                } else {
                    writeln!(self.out, "{}</div>", escaped(text))
                }
            }
            kind if self.options.tools == Tools::None && json::is_call(kind) => Ok(()),
            _ => {
                let places = Places { cwd: thread.cwd.as_deref(), home: "" };
                for (n, told) in told::calls(item, places).iter().enumerate() {
                    // A change of several files has one place each.
                    let id =
                        if n == 0 { Cow::Borrowed(id) } else { Cow::Owned(format!("{id}-{n}")) };
                    self.call(&id, told, item)?;
                }
                Ok(())
            }
        }
    }

    fn prose(
        &mut self,
        id: &str,
        class: &str,
        name: &str,
        text: &str,
        item: &Item,
    ) -> io::Result<()> {
        writeln!(self.out, "<div class=\"{class} md\" id={id} dir=auto>")?;
        if !name.is_empty() {
            writeln!(self.out, "<p class=name>{name}</p>")?;
        }
        self.markdown(text)?;
        if item.recovered {
            writeln!(self.out, "<p class=recovered title=\"{}\">recovered</p>", prose::RECOVERED)?;
        }
        self.put("</div>\n")
    }

    fn user(&mut self, id: &str, content: &[UserInput]) -> io::Result<()> {
        write!(self.out, "<div class=user id={id} dir=auto>")?;
        for part in content {
            match part {
                UserInput::Image { url: Some(url), .. } => self.image(url)?,
                other => {
                    let typed = prose::input(other);
                    let (typed, left) = self.beginning(typed.trim_matches('\n'));
                    self.put("<p>")?;
                    escape::write(self.out, typed)?;
                    self.put("</p>")?;
                    self.more(left)?;
                }
            }
        }
        self.put("</div>\n")
    }

    fn image(&mut self, url: &str) -> io::Result<()> {
        match image::look(url) {
            Shown::Image(width, height) => {
                let address = match &mut self.single {
                    Some(single) => single.address(url),
                    None => Cow::Borrowed(url),
                };
                write!(
                    self.out,
                    "<img src=\"{address}\" width={width} height={height} alt=\"image from the session\" loading=lazy decoding=async>"
                )
            }
            Shown::Nothing(why) => {
                write!(self.out, "<p class=note>{} ({why})</p>", escaped(&prose::image(url)))
            }
        }
    }

    fn call(&mut self, id: &str, told: &Told<'_>, item: &Item) -> io::Result<()> {
        let call = &told.call;
        let class = match call.end {
            End::Bad(_) => " bad",
            End::Declined | End::Open => " open",
            End::Quiet | End::Good => "",
        };
        let full = self.options.tools == Tools::Full && !told.parts.is_empty();
        let (start, end) = if full {
            (format!("<details class=\"call{class}\" id={id}><summary>"), "</summary>")
        } else {
            (format!("<p class=\"call{class}\" id={id}>"), "</p>\n")
        };
        write!(
            self.out,
            "{start}<span class=verb>{}</span> <code>{}</code>",
            escaped(&call.verb),
            escaped(&call.object)
        )?;
        for fact in prose::call_facts(call) {
            write!(self.out, " <span class=fact>{}</span>", escaped(&fact))?;
        }
        if item.recovered {
            write!(
                self.out,
                " <span class=recovered title=\"{}\">recovered</span>",
                prose::RECOVERED
            )?;
        }
        self.put(end)?;
        if !full {
            return Ok(());
        }
        for part in &told.parts {
            match part {
                Part::Place(place) => write!(self.out, "<p class=note>in {}</p>", escaped(place))?,
                Part::Input(input) => self.pre("input", input, "")?,
                Part::Output(output) => self.pre("", output, &told.language)?,
                Part::Image(url) => self.image(url)?,
                Part::Diff(change) => {
                    let signed = crate::diff::signed(change);
                    let (signed, left) = self.beginning(&signed);
                    diff::write(self.out, highlight::of_path(&change.path), signed)?;
                    self.more(left)?;
                }
            }
        }
        self.put("</details>\n")
    }

    /// Text as it is. A language is that of a file that it is from.
    fn pre(&mut self, class: &str, content: &str, language: &str) -> io::Result<()> {
        match class {
            "" => self.put("<pre>")?,
            class => write!(self.out, "<pre class={class}>")?,
        }
        // A parser leaves out the first line feed.
        let (content, left) = self.beginning(content.trim_end().trim_start_matches('\n'));
        code::read(self.out, language, content)?;
        self.put("</pre>\n")?;
        self.more(left)
    }

    fn markdown(&mut self, text: &str) -> io::Result<()> {
        let (text, left) = self.beginning(text);
        markdown::write(self.out, text)?;
        self.more(left)
    }

    /// As much of a text as is shown, and how many bytes are not.
    fn beginning<'t>(&self, text: &'t str) -> (&'t str, usize) {
        let most = self.single.as_ref().and_then(|single| single.most).unwrap_or(usize::MAX);
        let end = text.floor_char_boundary(most);
        (&text[..end], text.len() - end)
    }

    /// Says that so many bytes are not shown, and offers them.
    fn more(&mut self, left: usize) -> io::Result<()> {
        let Some(single) = self.single.as_mut().filter(|_| left > 0) else { return Ok(()) };
        single.left += left;
        writeln!(
            self.out,
            "<button type=button class=more data-item=\"{}\" data-bytes={left}>Show the rest ({})</button>",
            escaped(single.id),
            amount::bytes(left as u64)
        )
    }

    fn agent(&mut self, agent: &Subagent, nest: &Nest<'_>) -> io::Result<()> {
        let nested = nest.open(agent);
        let name = prose::agent(agent);
        let Some(whole) = nested.whole else {
            return writeln!(
                self.out,
                "<p class=note>Sub-agent {} (not there)</p>",
                escaped(&name)
            );
        };
        self.threads += 1;
        let prefix = format!("s{}-", self.threads);
        writeln!(
            self.out,
            "<details class=subagent id={}><summary>Sub-agent {} <small>{}</small></summary>",
            prefix.trim_end_matches('-'),
            escaped(&name),
            amount::plural(whole.thread.turns.len(), "turn", "turns")
        )?;
        facts(self.out, &whole.thread, self.options)?;
        if whole.thread.turns.is_empty() {
            self.put("<p class=note>Nothing of it is stored here.</p>\n")?;
        }
        let outer = std::mem::replace(&mut self.prefix, prefix);
        let above = std::mem::replace(&mut self.above, nest.above().to_vec());
        let deeper = (self.level + 1).min(6);
        let level = std::mem::replace(&mut self.level, deeper);
        let written = self.body(&whole);
        self.prefix = outer;
        self.above = above;
        self.level = level;
        written?;
        self.put("</details>\n")
    }
}

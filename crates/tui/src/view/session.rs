//! The conversation with its header.

use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use recount_text::{amount, text};

use super::cut;
use crate::conversation::Conversation;
use crate::state::{Focus, State};

pub(super) fn conversation(frame: &mut Frame<'_>, state: &mut State, area: Rect) {
    let theme = state.theme;
    let columns = usize::from(area.width);
    let head_lines = state.head_lines();
    let head = Rect { height: area.height.min(head_lines + 1), ..area };
    if let Some(opening) = &state.opening
        && state.conversation.is_none()
    {
        let opening = format!(" opening {}…", opening.title);
        frame.render_widget(cut(Line::styled(opening, theme.quiet()), columns), head);
        return;
    }
    let depth = state.stack.len();
    let Some(conversation) = &mut state.conversation else {
        let hint = " Enter opens a session, ? shows the keys";
        frame.render_widget(cut(Line::styled(hint, theme.quiet()), columns), head);
        return;
    };
    let mut lines = header(conversation, depth, state.now, theme, (columns, head_lines));
    lines.push(Line::styled("─".repeat(columns), theme.rule()));
    frame.render_widget(Paragraph::new(lines), head);
    let body =
        Rect { y: area.y + head.height, height: area.height.saturating_sub(head.height), ..area };
    state.areas.conversation = body;
    let focused = state.focus == Focus::Conversation;
    let selected = conversation.selected();
    let rows = conversation.visible();
    let mut out = Vec::with_capacity(rows.len());
    let mut before = None;
    for (cell, line) in rows {
        // The gap above a cell is not marked.
        let first = before != Some(cell);
        let blank = line.spans.is_empty();
        let mark = if cell == selected && !(first && blank) && focused {
            Span::styled("▎ ", theme.accent())
        } else {
            Span::raw("  ")
        };
        before = Some(cell);
        let mut spans = vec![mark];
        spans.extend(line.spans);
        out.push(cut(Line::from(spans), columns));
    }
    if out.is_empty() {
        out.push(Line::styled("  this session is empty", theme.quiet()));
    }
    frame.render_widget(Paragraph::new(out), body);
    scrollbar(frame, state, body);
}

/// What is known about a session, on as many lines.
fn header(
    conversation: &Conversation,
    depth: usize,
    now: Timestamp,
    theme: crate::Theme,
    (columns, lines): (usize, u16),
) -> Vec<Line<'static>> {
    let info = &conversation.info;
    let title = text::line(text::beginning(&info.title, 300)).into_owned();
    let mut first = vec![Span::raw(" ")];
    if depth > 0 {
        first.push(Span::styled("↳ ".repeat(depth.min(4)), theme.accent()));
    }
    let title = if title.is_empty() { text::line(&info.id).into_owned() } else { title };
    first.push(Span::styled(title, Style::new().add_modifier(Modifier::BOLD)));
    let mut out = vec![cut(Line::from(first), columns)];
    let facts = facts(conversation, now, theme);
    if lines > 2 {
        // What is spent and what happens; then what it is.
        let (moving, lasting) = facts.into_iter().partition(|fact| fact.moves);
        out.push(on_a_line(moving, theme, columns));
        out.push(on_a_line(lasting, theme, columns));
    } else {
        out.push(on_a_line(facts, theme, columns));
    }
    out
}

/// What has no room is told shorter; then it goes whole, what stands in the list or can be counted elsewhere before the rest.
fn on_a_line(mut facts: Vec<Fact>, theme: crate::Theme, columns: usize) -> Line<'static> {
    let mut level = 0;
    while width(&facts) > columns && level < LAST {
        level += 1;
        for fact in facts.iter_mut().filter(|fact| fact.goes == level) {
            if let Some(short) = fact.short.take() {
                fact.spans = short;
                fact.goes = fact.then;
            }
        }
        facts.retain(|fact| fact.goes > level);
    }
    let mut line = vec![Span::raw(" ")];
    for fact in facts {
        if line.len() > 1 {
            line.push(Span::styled(" · ", theme.quiet()));
        }
        line.extend(fact.spans);
    }
    cut(Line::from(line), columns)
}

/// The last level of want of room.
const LAST: usize = 9;

/// One thing that is known about a session.
struct Fact {
    spans: Vec<Span<'static>>,
    /// At which level of want of room it goes, or becomes short.
    goes: usize,
    /// The same in fewer columns.
    short: Option<Vec<Span<'static>>>,
    /// At which level that goes.
    then: usize,
    /// Whether it changes while the session runs.
    moves: bool,
}

impl Fact {
    fn new(spans: Vec<Span<'static>>, goes: usize) -> Self {
        Self { spans, goes, short: None, then: goes, moves: false }
    }

    fn or(self, short: Vec<Span<'static>>, then: usize) -> Self {
        Self { short: Some(short), then, ..self }
    }

    fn moves(self) -> Self {
        Self { moves: true, ..self }
    }
}

/// Columns of facts, with what stands before and between them.
fn width(facts: &[Fact]) -> usize {
    let each = facts.iter().map(|f| f.spans.iter().map(|s| text::width(&s.content)).sum::<usize>());
    1 + each.sum::<usize>() + 3 * facts.len().saturating_sub(1)
}

fn facts(conversation: &Conversation, now: Timestamp, theme: crate::Theme) -> Vec<Fact> {
    let info = &conversation.info;
    let told = |text: String| vec![Span::styled(text, theme.quiet())];
    let quiet = |goes: usize, text: String| Fact::new(told(text), goes);
    let mut facts = Vec::new();
    if conversation.partial {
        facts.push(quiet(LAST, "reading all of it…".to_owned()).moves());
        return facts;
    }
    if let Some((used, most)) = info.fill() {
        let (long, short) = meter(used, most, theme);
        facts.push(Fact::new(long, 3).or(short, 8).moves());
    }
    facts.push(quiet(1, info.harness.id().to_owned()));
    if let Some(model) = &info.model {
        facts.push(quiet(6, text::line(model).into_owned()));
    }
    facts.push(quiet(2, amount::plural(info.turns, "turn", "turns")));
    if info.usage.total_tokens > 0 {
        let count = amount::count(info.usage.total_tokens);
        facts.push(quiet(5, format!("{count} tokens")).or(told(format!("{count} tok")), 7).moves());
    }
    if let Some((cost, more)) = info.cost() {
        let known = if cost < 0.01 { "<$0.01".to_owned() } else { format!("${cost:.2}") };
        facts.push(quiet(LAST, format!("{known}{}", if more { "+" } else { "" })).moves());
    }
    if info.branches.len() > 1 {
        let count = info.branches.len();
        facts.push(if let Some(leaf) = &conversation.leaf {
            quiet(LAST, format!("branch {}", text::line(text::beginning(leaf, 8))))
        } else {
            quiet(4, format!("{count} branches")).or(told(format!("{count} ⑂")), 8)
        });
    }
    // Of a session that nobody writes there is nothing to follow, but that it is not followed is what somebody chose.
    if !conversation.follow {
        facts.push(quiet(LAST, "not following".to_owned()).moves());
    } else if conversation.is_alive(now) {
        facts.push(Fact::new(vec![Span::styled("following", theme.good())], LAST).moves());
    }
    facts
}

/// How full the context is, at length and shorter.
fn meter(
    used: u64,
    most: Option<u64>,
    theme: crate::Theme,
) -> (Vec<Span<'static>>, Vec<Span<'static>>) {
    let Some(most) = most.filter(|m| *m > 0) else {
        let told = vec![Span::styled(format!("context {}", amount::count(used)), theme.quiet())];
        return (told.clone(), told);
    };
    let part = (used as f64 / most as f64).clamp(0.0, 1.0);
    let bar = |columns: usize| {
        let full = (part * columns as f64).round() as usize;
        [("▰".repeat(full), true), ("▱".repeat(columns - full), false)]
    };
    let percent = if part < 0.005 { "<1".to_owned() } else { format!("{:.0}", part * 100.0) };
    let style = if part > 0.8 { theme.text(recount_text::paint::style::BAD) } else { theme.good() };
    let spans = |columns: usize, after: String| {
        let [full, rest] = bar(columns)
            .map(|(bar, full)| Span::styled(bar, if full { style } else { theme.quiet() }));
        vec![full, rest, Span::styled(after, theme.quiet())]
    };
    let mut long = vec![Span::styled("context ", theme.quiet())];
    long.extend(spans(8, format!(" {percent} % of {}", amount::count(most))));
    let mut short = vec![Span::styled("ctx ", theme.quiet())];
    short.extend(spans(4, format!(" {percent} %")));
    (long, short)
}

/// A thumb at the right edge: where in the session the screen is.
fn scrollbar(frame: &mut Frame<'_>, state: &mut State, area: Rect) {
    let Some(conversation) = &mut state.conversation else { return };
    if area.height < 2 || area.width < 2 || conversation.len() < 2 {
        return;
    }
    let place = conversation.position() * f64::from(area.height - 1);
    let at = Rect {
        x: area.x + area.width - 1,
        y: area.y + (place.round() as u16).min(area.height - 1),
        width: 1,
        height: 1,
    };
    frame.render_widget(Line::styled("▐", state.theme.rule()), at);
}

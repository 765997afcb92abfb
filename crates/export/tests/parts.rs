//! What is written and what is left out.

use recount_export::{Format, Options, Tools};

use crate::export;

fn options(change: impl FnOnce(&mut Options)) -> Options {
    let mut options = Options::default();
    change(&mut options);
    options
}

/// How often the word of the test thread stands in an export.
fn count(format: Format, options: &Options) -> usize {
    export(format, "word", options).matches("word").count()
}

#[test]
fn everything_is_written_unless_it_is_not_wanted() {
    for &format in Format::ALL {
        let all = count(format, &Options::default());
        let summary = count(format, &options(|o| o.tools = Tools::Summary));
        let none = count(format, &options(|o| o.tools = Tools::None));
        let reasoning = count(format, &options(|o| o.reasoning = false));
        let subagents = count(format, &options(|o| o.subagents = false));
        let branches = count(format, &options(|o| o.branches = false));
        let name = format.name();
        assert!(none < summary && summary < all, "{name}: {none} {summary} {all}");
        assert!(reasoning < all, "{name}: {reasoning} {all}");
        assert!(subagents < all * 6 / 10, "{name}: {subagents} {all}");
        assert!(branches < all - 20, "{name}: {branches} {all}");
    }
}

#[test]
fn what_is_left_out_is_said() {
    let without = options(|o| {
        o.branches = false;
        o.subagents = false;
        o.tools = Tools::None;
        o.reasoning = false;
    });
    for format in [Format::Html, Format::Markdown, Format::Text] {
        let text = export(format, "word", &without);
        assert!(text.contains("1 other branch was left out"), "{}", format.name());
        assert!(text.contains("1 sub-agent was left out"), "{}", format.name());
        assert!(text.contains("tool calls were left out"), "{}", format.name());
        assert!(text.contains("Reasoning was left out"), "{}", format.name());
    }
}

#[test]
fn a_sub_agent_stands_where_it_was_started_and_only_once() {
    let page = export(Format::Html, "word", &Options::default());
    assert_eq!(page.matches("<details class=subagent").count(), 1);
    let agent = page.find("<details class=subagent").unwrap();
    assert!(page.find("id=t1-12 ").or_else(|| page.find("id=t1-12>")).unwrap() < agent);
    assert!(agent < page.find("id=t2 ").or_else(|| page.find("id=t2>")).unwrap());
}

#[test]
fn a_branch_is_announced_where_it_leaves() {
    let page = export(Format::Html, "word", &Options::default());
    let fork = page.find("Another branch leaves here: <a href=\"#b1\" dir=auto>").unwrap();
    // The first item of the second turn is on both.
    assert!(page.find("id=t2-1 ").unwrap() < fork);
    assert!(fork < page.find("id=t2-2").unwrap());
    assert!(page.contains("leaving within turn 2"));
    assert!(page.contains("<section class=turn id=b1-t2>"));
    assert!(page.contains("id=b1-t2-2") && !page.contains("id=b1-t2-1 "));
}

#[test]
fn a_branch_that_says_nothing_of_its_own_is_none() {
    let mut whole = crate::whole("word");
    let aside = whole.asides.first_mut().unwrap();
    aside.turns = whole.thread.turns[1..].to_vec();
    aside.turns[0].items.truncate(2);
    aside.turns[0].error = None;
    for format in [Format::Html, Format::Markdown, Format::Text] {
        let mut out = Vec::new();
        let agents = crate::Agents("word".to_owned());
        recount_export::write(format, &whole, &agents, &Options::default(), &mut out).unwrap();
        let written = String::from_utf8(out).unwrap();
        // That of the sub-agent is there.
        let agents_own = if format == Format::Html { 2 } else { 1 };
        assert_eq!(written.matches("Another branch").count(), agents_own, "{}", format.name());
    }
}

#[test]
fn damage_is_told_in_the_head() {
    for format in [Format::Html, Format::Markdown, Format::Text] {
        let written = export(format, "word", &Options::default());
        let told = written.find("1, told at the end: not all of it could be read").unwrap();
        assert!(told < written.len() / 4, "{}", format.name());
    }
}

#[test]
fn ids_are_there_once_and_links_lead_somewhere() {
    let page = export(Format::Html, "word", &Options::default());
    let mut ids: Vec<&str> =
        page.split(" id=").skip(1).map(|rest| rest.split([' ', '>']).next().unwrap()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(count, ids.len());
    for link in page.split("href=\"#").skip(1) {
        let link = link.split('"').next().unwrap();
        assert!(ids.binary_search(&link).is_ok(), "{link}");
    }
}

#[test]
fn as_text() {
    insta::assert_snapshot!(
        "text",
        export(Format::Text, "word", &options(|o| o.subagents = false))
    );
}

#[test]
fn as_markdown() {
    let markdown = export(Format::Markdown, "word", &options(|o| o.subagents = false));
    insta::assert_snapshot!("markdown", markdown);
}

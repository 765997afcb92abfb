//! Rows as a person reads them: columns, small bars, a sum.

use std::fmt::Write as _;
use std::io::{self, Write};

use recount_index::cost::Sum;
use recount_index::{By, Row};

use crate::output::paint::style;
use crate::output::table::{self, Cell, Column};
use crate::output::{Screen, amount, text};

/// Characters of the longest bar.
const BAR: usize = 16;

pub(super) fn write(
    out: &mut dyn Write,
    screen: &Screen,
    rows: &[Row],
    by: &[By],
) -> io::Result<()> {
    let key = |by: &By| Column {
        name: by.name(),
        right: false,
        most: if *by == By::Project { 40 } else { 36 },
        dispensable: 0,
    };
    let number = |name, dispensable| Column { name, right: true, most: 12, dispensable };
    let mut columns: Vec<Column> = by.iter().map(key).collect();
    columns.extend([
        number("responses", 5),
        number("input", 4),
        number("cached", 4),
        number("written", 6),
        number("output", 3),
        number("reasoning", 7),
        number("total", 0),
        number("cost", 0),
        Column { name: "", right: false, most: BAR + 8, dispensable: 8 },
    ]);
    let total = Row::total(rows);
    let with_cost = total.usage.cost_usd.is_some_and(|cost| cost > 0.0);
    let weight = |row: &Row| {
        if with_cost { row.usage.cost_usd.unwrap_or(0.0) } else { row.usage.total_tokens as f64 }
    };
    let largest = rows.iter().map(weight).fold(0.0, f64::max);
    let mut cells: Vec<Vec<Cell>> = rows
        .iter()
        .map(|row| {
            let mut cells: Vec<Cell> = by
                .iter()
                .zip(&row.keys)
                .map(|(by, key)| {
                    let look = match by {
                        By::Session => style::ID,
                        By::Project => style::NAME,
                        _ => style::PLAIN,
                    };
                    Cell::new(look, text::line(key).into_owned())
                })
                .collect();
            cells.extend(numbers(row, false));
            cells.push(Cell::new(style::GOOD, bar(weight(row), largest)));
            cells
        })
        .collect();
    if rows.len() > 1 {
        let mut sum: Vec<Cell> = by.iter().map(|_| Cell::default()).collect();
        if let Some(first) = sum.first_mut() {
            *first = Cell::new(style::STRONG, "total");
        }
        sum.extend(numbers(&total, true));
        sum.push(Cell::default());
        cells.push(sum);
    }
    table::print(out, screen.paint, &columns, &cells, screen.columns)?;
    if by == [By::HourBlock] {
        burn_rate(out, screen, rows)?;
    }
    Ok(())
}

fn numbers(row: &Row, strong: bool) -> Vec<Cell> {
    let usage = &row.usage;
    let look = if strong { style::STRONG } else { style::PLAIN };
    let count = |n: u64| {
        if n == 0 { Cell::default() } else { Cell::new(look, amount::count(n)) }
    };
    vec![
        Cell::new(look, usage.responses.to_string()),
        count(usage.input_tokens),
        count(usage.cached_input_tokens),
        count(usage.cache_write_tokens),
        count(usage.output_tokens),
        count(usage.reasoning_tokens),
        Cell::new(look, amount::count(usage.total_tokens)),
        Cell::new(look, cost(row)),
    ]
}

/// The cost of a row.
pub(in crate::command) fn cost(row: &Row) -> String {
    sum(Sum { known: row.usage.cost_usd, more: !row.unpriced.is_empty() })
}

/// A cost; one that lacks something says so.
pub(in crate::command) fn sum(sum: Sum) -> String {
    match (sum.known, sum.more) {
        (Some(cost), true) => format!(">{}", dollars(cost)),
        (Some(cost), false) => dollars(cost),
        (None, true) => "?".to_owned(),
        (None, false) => String::new(),
    }
}

/// US dollars, so precise as the size makes sense.
pub(in crate::command) fn dollars(cost: f64) -> String {
    match cost {
        c if c >= 1000.0 => format!("${c:.0}"),
        c if c >= 0.995 || c == 0.0 => format!("${c:.2}"),
        c => format!("${c:.4}"),
    }
}

/// A bar of eighths of characters.
fn bar(value: f64, largest: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if largest <= 0.0 || value <= 0.0 {
        return String::new();
    }
    // Something is more than nothing.
    let eighths = ((value / largest * (BAR * 8) as f64).round() as usize).clamp(1, BAR * 8);
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

/// How fast the block that runs now is used.
fn burn_rate(out: &mut dyn Write, screen: &Screen, rows: &[Row]) -> io::Result<()> {
    const BLOCK: i64 = 5 * 3600;
    let Some((row, (first, last))) = rows.last().and_then(|row| Some((row, row.span?))) else {
        return Ok(());
    };
    let start = first.as_second().div_euclid(3600) * 3600;
    let left = start + BLOCK - screen.now.as_second();
    if left <= 0 || screen.now < last {
        return Ok(());
    }
    let minutes = (screen.now.duration_since(first).as_secs().max(60)) as f64 / 60.0;
    let tokens = row.usage.total_tokens as f64 / minutes;
    let cost = row.usage.cost_usd.map(|c| c / minutes);
    let all = |per_minute: f64, so_far: f64| so_far + per_minute * (left as f64 / 60.0);
    let mut text = format!("now: {} tokens a minute", amount::count(tokens as u64));
    if let Some(cost) = cost {
        let end = all(cost, row.usage.cost_usd.unwrap_or(0.0));
        let hour = dollars(cost * 60.0);
        let _ = write!(text, ", {hour} an hour, {} when the block ends", dollars(end));
    }
    let _ = write!(text, " in {}", crate::output::time::duration(left * 1000));
    writeln!(out, "\n{}", screen.paint.of(style::DIM, text))
}

//! Rows as a picture: on the terminal, or in a file.

use std::io::{self, Write};
use std::path::Path;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use recount_index::{By, Row};

use crate::error::Error;
use crate::output::paint::style;
use crate::output::{Screen, amount, text};

/// Lines of a chart on the terminal.
const HEIGHT: usize = 10;

/// What the bars show: cost where there is one, else tokens.
struct Values {
    values: Vec<f64>,
    is_cost: bool,
}

impl Values {
    fn of(rows: &[Row]) -> Self {
        let is_cost = rows.iter().any(|row| row.usage.cost_usd.is_some_and(|cost| cost > 0.0));
        let value = |row: &Row| {
            if is_cost { row.usage.cost_usd.unwrap_or(0.0) } else { row.usage.total_tokens as f64 }
        };
        Self { values: rows.iter().map(value).collect(), is_cost }
    }

    fn label(&self, value: f64) -> String {
        if self.is_cost { super::table::dollars(value) } else { amount::count(value as u64) }
    }

    fn name(&self) -> &'static str {
        if self.is_cost { "US dollars" } else { "tokens" }
    }
}

/// A chart of upright bars, one a row; several rows in one bar where there are too many.
pub(super) fn terminal(out: &mut dyn Write, screen: &Screen, rows: &[Row]) -> io::Result<()> {
    const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
    const LABEL: usize = 9;
    let all = Values::of(rows);
    let room = screen.columns.unwrap_or(100).saturating_sub(LABEL + 2).max(8);
    let each = rows.len().div_ceil(room).max(1);
    let bars: Vec<f64> = all.values.chunks(each).map(|part| part.iter().sum()).collect();
    let wide = (room / bars.len().max(1)).clamp(1, 6);
    let gap = usize::from(wide > 2);
    let largest = bars.iter().copied().fold(0.0, f64::max);
    for line in (0..HEIGHT).rev() {
        let label = match line {
            _ if line + 1 == HEIGHT => all.label(largest),
            _ if line == HEIGHT / 2 => all.label(largest * (line as f64 + 0.5) / HEIGHT as f64),
            _ => String::new(),
        };
        let mut text = String::new();
        for bar in &bars {
            let eighths = if largest > 0.0 { bar / largest * (HEIGHT * 8) as f64 } else { 0.0 };
            let here = (eighths.round() as usize).saturating_sub(line * 8).min(8);
            // Something is more than nothing.
            let here = if line == 0 && *bar > 0.0 { here.max(1) } else { here };
            text.push_str(&EIGHTHS[here].repeat(wide - gap));
            text.push_str(&" ".repeat(gap));
        }
        let label = screen.paint.of(style::DIM, format!("{label:>LABEL$} "));
        writeln!(out, "{label}{}", screen.paint.of(style::GOOD, text.trim_end()))?;
    }
    let ends = (rows.first(), rows.last());
    if let (Some(first), Some(last)) = ends {
        let first = text::line(&first.keys.join(" / ")).into_owned();
        let last = text::line(&last.keys.join(" / ")).into_owned();
        let width = bars.len() * wide;
        let pad = width.saturating_sub(text::width(&first)).max(text::width(&last) + 1);
        let axis = format!("{:LABEL$} {first}{last:>pad$}", "");
        writeln!(out, "{}\n", screen.paint.of(style::DIM, axis))?;
    }
    Ok(())
}

/// Draws the rows into a file.
pub(super) fn svg(file: &Path, rows: &[Row], by: &[By]) -> Result<(), Error> {
    let picture = draw(rows, by).map_err(|e| Error::Output(io::Error::other(e)))?;
    std::fs::write(file, picture)
        .map_err(|e| Error::Output(io::Error::new(e.kind(), format!("{}: {e}", file.display()))))
}

/// So many names stand below the bars.
const LABELS: usize = 12;
/// About so wide is a letter of them.
const LETTER: u32 = 7;

/// What a bar is called: of a long name, the beginning.
fn name(row: &Row) -> String {
    let whole = row.keys.join(" / ");
    text::fit(&text::line(&whole), 24).into_owned()
}

fn draw(rows: &[Row], by: &[By]) -> Result<String, String> {
    let values = Values::of(rows);
    let largest = values.values.iter().copied().fold(0.0, f64::max).max(1e-9);
    let mut picture = String::new();
    {
        let width = (rows.len() as u32).saturating_mul(24).clamp(640, 2400);
        let longest = rows.iter().map(|row| text::width(&name(row))).max().unwrap_or(0) as u32;
        // Names that would stand over each other are turned.
        let shown = rows.len().clamp(1, LABELS) as u32;
        let turned = longest * LETTER > (width - 96) / shown;
        let below = if turned { longest * LETTER + 24 } else { 56 };
        let height = 364 + below;
        let area = SVGBackend::with_string(&mut picture, (width, height)).into_drawing_area();
        let told = |e: &dyn std::fmt::Display| e.to_string();
        area.fill(&WHITE).map_err(|e| told(&e))?;
        let names: Vec<&str> = by.iter().map(|by| by.name()).collect();
        let unpriced: u64 = rows.iter().flat_map(|row| row.unpriced.values()).sum();
        let without = match unpriced {
            n if n > 0 && values.is_cost => {
                let responses = amount::plural(n as usize, "response", "responses");
                format!(", without {responses} of unknown price")
            }
            _ => String::new(),
        };
        let title = format!("{} by {}{without}", values.name(), names.join(" and "));
        let font = ("sans-serif", 12).into_font();
        let (font, pos) = if turned {
            let pos = Pos::new(HPos::Left, VPos::Center);
            (font.transform(FontTransform::Rotate90), pos)
        } else {
            (font, Pos::new(HPos::Center, VPos::Top))
        };
        let mut chart = ChartBuilder::on(&area)
            .caption(title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(below)
            .y_label_area_size(72)
            // The end of a range of numbers belongs to it.
            .build_cartesian_2d(
                (0..rows.len().saturating_sub(1)).into_segmented(),
                0.0..largest * 1.08,
            )
            .map_err(|e| told(&e))?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(rows.len().clamp(1, LABELS))
            .x_label_formatter(&|_| String::new())
            .y_label_formatter(&|value| values.label(*value))
            .light_line_style(TRANSPARENT)
            .draw()
            .map_err(|e| told(&e))?;
        let bars = values.values.iter().enumerate().map(|(n, value)| {
            let is_last = n + 1 == rows.len();
            let end = if is_last { SegmentValue::Last } else { SegmentValue::Exact(n + 1) };
            let mut bar = Rectangle::new(
                [(SegmentValue::Exact(n), 0.0), (end, *value)],
                RGBColor(36, 116, 96).filled(),
            );
            bar.set_margin(0, 0, 2, 2);
            bar
        });
        chart.draw_series(bars).map_err(|e| told(&e))?;
        // The chart would put turned names over its axis.
        let style = font.into_text_style(&area).pos(pos);
        for (n, row) in rows.iter().enumerate().step_by(rows.len().div_ceil(LABELS).max(1)) {
            let (x, y) = chart.backend_coord(&(SegmentValue::CenterOf(n), 0.0));
            area.draw_text(&name(row), &style, (x, y + 8)).map_err(|e| told(&e))?;
        }
        area.present().map_err(|e| told(&e))?;
    }
    Ok(picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(key: &str, total: u64) -> Row {
        let mut row = Row::total(&[]);
        row.keys = vec![key.to_owned()];
        row.usage.total_tokens = total;
        row
    }

    #[test]
    fn a_picture_holds_the_rows_and_no_markup_of_theirs() {
        let picture = draw(&[row("<script>", 5), row("b", 10)], &[By::Project]).unwrap();
        assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
        assert!(picture.contains("tokens by project") && !picture.contains("<script>"));
    }

    /// The widths of the bars.
    fn bars(picture: &str) -> Vec<u32> {
        let bars = picture.split("<rect ").skip(1).filter(|r| r.contains("#247460"));
        let width = |bar: &str| bar.split("width=\"").nth(1)?.split('"').next()?.parse().ok();
        bars.filter_map(width).collect()
    }

    #[test]
    fn bars_fill_the_picture() {
        for n in [1, 2, 5] {
            let rows: Vec<Row> = (0..n).map(|n| row(&n.to_string(), 5)).collect();
            let found = bars(&draw(&rows, &[By::Day]).unwrap());
            assert_eq!(found.len(), n);
            // 640 wide, less the margins, the names of the axis, and what stands between bars.
            let all: u32 = found.iter().sum();
            assert!((500..=544).contains(&(all + 4 * n as u32)), "{found:?}");
        }
    }

    #[test]
    fn long_names_are_turned_and_what_has_no_price_is_told() {
        let rows: Vec<Row> = (0..30)
            .map(|n| {
                let mut row = row(&format!("a-name-that-is-long-{n}"), 5);
                row.usage.cost_usd = (n > 0).then_some(0.5);
                if n == 0 {
                    row.unpriced.insert("x".to_owned(), 2);
                }
                row
            })
            .collect();
        let picture = draw(&rows, &[By::Session]).unwrap();
        assert!(picture.contains("US dollars by session, without 2 responses of unknown price"));
        assert_eq!(picture.matches("rotate(90").count(), 10);
        assert!(!draw(&[row("b", 10)], &[By::Project]).unwrap().contains("rotate"));
    }

    #[test]
    fn nothing_can_be_drawn_too() {
        assert!(draw(&[], &[By::Day]).is_ok());
    }
}

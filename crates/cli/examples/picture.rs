//! Draws what a terminal shows as SVG: `… | cargo run --example picture > docs/picture.svg`.

use std::io::Read as _;

use anstyle::RgbColor;
use anstyle_lossy::palette::Palette;

/// Calm colours on dark ground, for the sixteen that the program uses.
const PALETTE: Palette = Palette([
    RgbColor(0x1e, 0x22, 0x2a),
    RgbColor(0xe0, 0x6c, 0x75),
    RgbColor(0x98, 0xc3, 0x79),
    RgbColor(0xe5, 0xc0, 0x7b),
    RgbColor(0x61, 0xaf, 0xef),
    RgbColor(0xc6, 0x78, 0xdd),
    RgbColor(0x56, 0xb6, 0xc2),
    RgbColor(0xc8, 0xcc, 0xd4),
    RgbColor(0x5c, 0x63, 0x70),
    RgbColor(0xe0, 0x6c, 0x75),
    RgbColor(0x98, 0xc3, 0x79),
    RgbColor(0xe5, 0xc0, 0x7b),
    RgbColor(0x61, 0xaf, 0xef),
    RgbColor(0xc6, 0x78, 0xdd),
    RgbColor(0x56, 0xb6, 0xc2),
    RgbColor(0xff, 0xff, 0xff),
]);

#[expect(clippy::print_stdout, reason = "printing is all it does")]
fn main() -> std::io::Result<()> {
    let mut shown = String::new();
    std::io::stdin().read_to_string(&mut shown)?;
    let term = anstyle_svg::Term::new()
        .palette(PALETTE)
        .fg_color(RgbColor(0xc8, 0xcc, 0xd4).into())
        .bg_color(RgbColor(0x1e, 0x22, 0x2a).into())
        .min_width_px(860);
    // Opacity of parts of a text is not drawn by browsers, that of its fill is.
    let svg = term.render_svg(shown.trim_end());
    print!("{}", svg.replace("opacity: 0.4", "fill-opacity: 0.55"));
    Ok(())
}

//! Pictures: read from what a session holds, and drawn as the terminal can.
//!
//! Kitty's protocol and iTerm2's take pictures as they are; every other terminal gets two pixels a cell, one above the other. Only
//! pictures that stand in the transcript are drawn: a path in it is never followed.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};

/// Larger pictures are not read: width times height.
const MOST_PIXELS: usize = 64 << 20;
/// The longer side of what is kept of a picture: a terminal has no room for more.
const KEPT: usize = 1_200;

/// How a terminal draws pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Graphics {
    /// As coloured half blocks.
    #[default]
    Blocks,
    /// By Kitty's protocol.
    Kitty,
    /// By iTerm2's.
    Iterm,
}

impl Graphics {
    /// What the environment tells of the terminal. Inside a multiplexer only text gets through.
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Self {
        let is = |name: &str, of: &[&str]| {
            variable(name).is_some_and(|value| of.iter().any(|o| value.contains(o)))
        };
        let set = |name| variable(name).is_some_and(|value| !value.is_empty());
        if set("TMUX") || set("STY") || set("ZELLIJ") || is("TERM", &["screen", "tmux"]) {
            Self::Blocks
        } else if set("KITTY_WINDOW_ID")
            || is("TERM", &["kitty", "ghostty"])
            || is("TERM_PROGRAM", &["ghostty"])
        {
            Self::Kitty
        } else if is("TERM_PROGRAM", &["iTerm", "WezTerm"]) || is("LC_TERMINAL", &["iTerm"]) {
            Self::Iterm
        } else {
            Self::Blocks
        }
    }
}

/// A picture, made smaller where it was too large.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// What it is, for its frame.
    pub name: String,
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Red, green, blue, opacity.
    pixels: Vec<[u8; 4]>,
}

impl Picture {
    /// Reads a data URL with a PNG or JPEG in it.
    pub fn of_address(address: &str) -> Result<Self, String> {
        let data = address.strip_prefix("data:").and_then(|rest| rest.split_once(','));
        let Some((media, data)) = data else {
            return Err(
                "this picture is not in the session, and recount follows no paths".to_owned()
            );
        };
        if !media.ends_with(";base64") {
            return Err("this picture is not in base64".to_owned());
        }
        let data: String = data.chars().filter(|c| !c.is_ascii_whitespace() && *c != '=').collect();
        let bytes = STANDARD_NO_PAD.decode(data).map_err(|e| format!("no base64: {e}"))?;
        Self::of_bytes(&bytes)
    }

    /// Reads a PNG or JPEG.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self, String> {
        let (name, width, height, pixels) = match bytes {
            [0x89, b'P', b'N', b'G', ..] => png(bytes)?,
            [0xff, 0xd8, ..] => jpeg(bytes)?,
            _ => return Err("only PNG and JPEG are drawn".to_owned()),
        };
        if width == 0 || height == 0 || pixels.len() != width * height {
            return Err("this picture is damaged".to_owned());
        }
        let name = format!("{name}, {width} × {height}");
        let whole = Self { name, width, height, pixels };
        let longer = width.max(height);
        if longer <= KEPT {
            return Ok(whole);
        }
        let side = |n: usize| (n * KEPT / longer).max(1);
        Ok(whole.scaled(side(width), side(height)))
    }

    /// The picture at another size: each pixel is the mean of those that it stands for.
    #[must_use]
    pub fn scaled(&self, width: usize, height: usize) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        let span = |n: usize, of: usize, whole: usize| {
            let from = n * whole / of;
            from..((n + 1) * whole / of).clamp(from + 1, whole.max(from + 1))
        };
        let mut pixels = Vec::with_capacity(width * height);
        for y in 0..height {
            let rows = span(y, height, self.height);
            for x in 0..width {
                let columns = span(x, width, self.width);
                let (mut sum, mut count) = ([0_u64; 4], 0);
                for row in rows.clone() {
                    let line = self.pixels.get(row * self.width..(row + 1) * self.width);
                    for pixel in line.and_then(|l| l.get(columns.clone())).unwrap_or_default() {
                        let opacity = u64::from(pixel[3]);
                        for (sum, part) in sum.iter_mut().zip(&pixel[..3]) {
                            *sum += u64::from(*part) * opacity;
                        }
                        sum[3] += opacity;
                        count += 1;
                    }
                }
                let part = |n: usize| sum[n].checked_div(sum[3]).unwrap_or(0) as u8;
                let opacity = sum[3].checked_div(count).unwrap_or(0) as u8;
                pixels.push([part(0), part(1), part(2), opacity]);
            }
        }
        Self { name: self.name.clone(), width, height, pixels }
    }

    /// A pixel on a ground.
    pub fn over(&self, x: usize, y: usize, ground: u8) -> [u8; 3] {
        let pixel = self.pixels.get(y * self.width + x).copied().unwrap_or_default();
        let opacity = u32::from(pixel[3]);
        let mix = |n: usize| {
            ((u32::from(pixel[n]) * opacity + u32::from(ground) * (255 - opacity)) / 255) as u8
        };
        [mix(0), mix(1), mix(2)]
    }

    /// Columns and rows that it takes of a room when each cell is twice as high as wide.
    pub fn fit(&self, columns: u16, rows: u16) -> (u16, u16) {
        let (columns, rows) = (usize::from(columns.max(1)), usize::from(rows.max(1)));
        let by_width = (self.height * columns).div_ceil(self.width * 2).max(1);
        let (columns, rows) = if by_width <= rows {
            (columns, by_width)
        } else {
            ((self.width * rows * 2).div_ceil(self.height).clamp(1, columns), rows)
        };
        // A picture is not made larger than a pixel a cell and a half.
        let (wide, high) = (self.width.max(1), self.height.div_ceil(2).max(1));
        (columns.min(wide) as u16, rows.min(high) as u16)
    }

    /// What draws it at the cursor, so many columns and rows large. Nothing for half blocks: they are text.
    pub fn sequence(&self, graphics: Graphics, columns: u16, rows: u16) -> String {
        match graphics {
            Graphics::Blocks => String::new(),
            Graphics::Kitty => self.kitty(columns, rows),
            Graphics::Iterm => {
                let data = STANDARD.encode(self.as_png());
                format!(
                    "\u{1b}]1337;File=inline=1;width={columns};height={rows};preserveAspectRatio=0:{data}\u{7}"
                )
            }
        }
    }

    fn kitty(&self, columns: u16, rows: u16) -> String {
        /// The protocol's own limit.
        const CHUNK: usize = 4096;
        let data = STANDARD.encode(self.pixels.as_flattened());
        let chunks: Vec<&str> = data
            .as_bytes()
            .chunks(CHUNK)
            .map(|chunk| std::str::from_utf8(chunk).unwrap_or_default())
            .collect();
        let mut out = String::with_capacity(data.len() + chunks.len() * 16);
        for (n, chunk) in chunks.iter().enumerate() {
            let more = u8::from(n + 1 < chunks.len());
            let head = match n {
                0 => format!(
                    "a=T,f=32,s={},v={},c={columns},r={rows},q=2,m={more}",
                    self.width, self.height
                ),
                _ => format!("m={more}"),
            };
            let _ = write!(out, "\u{1b}_G{head};{chunk}\u{1b}\\");
        }
        out
    }

    fn as_png(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut encoder = ::png::Encoder::new(&mut out, self.width as u32, self.height as u32);
        encoder.set_color(::png::ColorType::Rgba);
        encoder.set_depth(::png::BitDepth::Eight);
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(self.pixels.as_flattened())?;
            writer.finish()
        });
        if written.is_err() {
            out.clear();
        }
        out
    }
}

/// Takes pictures off the screen, where that does not happen by drawing over them.
pub const fn remove(graphics: Graphics) -> &'static str {
    match graphics {
        Graphics::Kitty => "\u{1b}_Ga=d,q=2\u{1b}\\",
        Graphics::Blocks | Graphics::Iterm => "",
    }
}

type Read = (&'static str, usize, usize, Vec<[u8; 4]>);

fn png(bytes: &[u8]) -> Result<Read, String> {
    let told = |e: ::png::DecodingError| format!("this PNG is damaged: {e}");
    let mut decoder = ::png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(::png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(told)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    small(width, height)?;
    let size = reader.output_buffer_size().ok_or("this PNG is too large")?;
    let mut data = vec![0; size];
    let frame = reader.next_frame(&mut data).map_err(told)?;
    data.truncate(frame.buffer_size());
    let pixels = match frame.color_type {
        ::png::ColorType::Rgba => pixels(&data, |[r, g, b, a]| [r, g, b, a]),
        ::png::ColorType::GrayscaleAlpha => pixels(&data, |[v, a]| [v, v, v, a]),
        ::png::ColorType::Rgb => pixels(&data, |[r, g, b]| [r, g, b, 255]),
        ::png::ColorType::Grayscale | ::png::ColorType::Indexed => {
            pixels(&data, |[v]| [v, v, v, 255])
        }
    };
    Ok(("PNG", width, height, pixels))
}

fn jpeg(bytes: &[u8]) -> Result<Read, String> {
    use zune_jpeg::JpegDecoder;
    use zune_jpeg::zune_core::bytestream::ZCursor;
    use zune_jpeg::zune_core::colorspace::ColorSpace;
    use zune_jpeg::zune_core::options::DecoderOptions;
    let told = |e| format!("this JPEG is damaged: {e:?}");
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(told)?;
    let (width, height) = decoder.dimensions().ok_or("this JPEG has no size")?;
    small(width, height)?;
    let data = decoder.decode().map_err(told)?;
    Ok(("JPEG", width, height, pixels(&data, |[r, g, b]| [r, g, b, 255])))
}

fn pixels<const N: usize>(data: &[u8], of: impl Fn([u8; N]) -> [u8; 4]) -> Vec<[u8; 4]> {
    data.as_chunks::<N>().0.iter().map(|part| of(*part)).collect()
}

fn small(width: usize, height: usize) -> Result<(), String> {
    match width.checked_mul(height) {
        Some(pixels) if pixels <= MOST_PIXELS => Ok(()),
        _ => Err(format!("this picture is too large to draw: {width} × {height}")),
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;

    use super::{Graphics, Picture};

    fn picture(width: usize, height: usize) -> Picture {
        let pixels = (0..width * height).map(|n| [(n % 256) as u8, 10, 200, 255]).collect();
        Picture { name: "PNG, 4 × 4".to_owned(), width, height, pixels }
    }

    #[test]
    fn a_picture_is_read_and_made_smaller() {
        let drawn = picture(4, 4);
        let read = Picture::of_bytes(&drawn.as_png()).unwrap();
        assert_eq!(read, drawn);
        let half = drawn.scaled(2, 2);
        assert_eq!((half.width, half.height), (2, 2));
        // The mean of 0, 1, 4 and 5, on any ground.
        assert_eq!(half.over(0, 0, 0), [2, 10, 200]);
        let large = Picture::of_bytes(&picture(2_400, 10).as_png()).unwrap();
        assert_eq!((large.width, large.height), (1_200, 5));
        assert_eq!(large.name, "PNG, 2400 × 10");
    }

    #[test]
    fn a_picture_keeps_its_shape() {
        assert_eq!(picture(400, 200).fit(80, 40), (80, 20));
        assert_eq!(picture(200, 400).fit(80, 40), (40, 40));
        assert_eq!(picture(4, 4).fit(80, 40), (4, 2));
        assert_eq!(picture(5_000, 1).fit(10, 1), (10, 1));
    }

    #[test]
    fn what_is_no_picture_is_told() {
        let damaged = &picture(4, 4).as_png()[..40];
        for address in [
            "/home/dev/a.png".to_owned(),
            "https://example.com/a.png".to_owned(),
            "data:image/png,abc".to_owned(),
            "data:image/png;base64,!!!".to_owned(),
            "data:image/gif;base64,R0lGODlhAQABAAAAACw=".to_owned(),
            format!("data:image/png;base64,{}", super::STANDARD.encode(damaged)),
            "data:image/jpeg;base64,/9j/4AAQSkZJRg==".to_owned(),
        ] {
            assert!(Picture::of_address(&address).is_err(), "{address}");
        }
        let address =
            format!("data:image/png;base64,{}", super::STANDARD.encode(picture(2, 2).as_png()));
        assert_eq!(Picture::of_address(&address).unwrap().width, 2);
    }

    #[test]
    fn sequences_hold_nothing_but_numbers_and_base64() {
        for graphics in [Graphics::Blocks, Graphics::Kitty, Graphics::Iterm] {
            let sequence = picture(200, 90).sequence(graphics, 20, 5);
            let inside = sequence.replace("\u{1b}_G", "").replace("\u{1b}\\", "");
            let inside = inside.replace("\u{1b}]", "").replace('\u{7}', "");
            assert!(inside.chars().all(|c| c.is_ascii_graphic()), "{graphics:?}");
            assert_eq!(sequence.is_empty(), graphics == Graphics::Blocks);
        }
    }

    #[test]
    fn the_environment_tells_what_a_terminal_can() {
        let of = |set: &'static [(&str, &str)]| {
            Graphics::of(|name| {
                set.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(of(&[("TERM", "xterm-256color")]), Graphics::Blocks);
        assert_eq!(of(&[("TERM", "xterm-kitty")]), Graphics::Kitty);
        assert_eq!(of(&[("TERM_PROGRAM", "iTerm.app")]), Graphics::Iterm);
        assert_eq!(of(&[("TERM_PROGRAM", "WezTerm"), ("TMUX", "/tmp/x")]), Graphics::Blocks);
        assert_eq!(of(&[("KITTY_WINDOW_ID", "1"), ("TERM", "screen-256color")]), Graphics::Blocks);
    }
}

//! Which images are shown.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The kinds of image that are shown. Vector graphics can hold scripts and load things.
const KINDS: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];

/// So many pixels are shown at most: a small file can ask a browser for gigabytes.
const MOST_PIXELS: usize = 50_000_000;

/// So much of an image is looked at for its size.
const HEAD: usize = 256 << 10;

/// What is to be shown of an image.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// The image, with its width and height.
    Image(usize, usize),
    /// Nothing, and why.
    Nothing(&'static str),
}

/// Looks at a data URL. Other addresses are not loaded.
pub(crate) fn look(url: &str) -> Shown {
    let Some((head, data)) = url.strip_prefix("data:").and_then(|rest| rest.split_once(',')) else {
        return Shown::Nothing("not in the transcript");
    };
    let Some(kind) = head.strip_suffix(";base64") else {
        return Shown::Nothing("of a kind that is not shown");
    };
    if !KINDS.contains(&kind) {
        return Shown::Nothing("of a kind that is not shown");
    }
    let is_base64 = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=');
    if !data.bytes().all(is_base64) {
        return Shown::Nothing("damaged");
    }
    let start = data.get(..data.len().min(HEAD / 3 * 4) / 4 * 4).unwrap_or(data);
    let Ok(bytes) = STANDARD.decode(start) else { return Shown::Nothing("damaged") };
    match imagesize::blob_size(&bytes) {
        Err(_) => Shown::Nothing("damaged"),
        Ok(size) if size.width.saturating_mul(size.height) > MOST_PIXELS => {
            Shown::Nothing("too large to be shown")
        }
        Ok(size) => Shown::Image(size.width, size.height),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> String {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes.extend([8, 6, 0, 0, 0, 0, 0, 0, 0]);
        format!("data:image/png;base64,{}", STANDARD.encode(bytes))
    }

    #[test]
    fn only_pictures_of_a_sane_size_are_shown() {
        assert_eq!(look(&png(3, 2)), Shown::Image(3, 2));
        assert_eq!(look(&png(100_000, 100_000)), Shown::Nothing("too large to be shown"));
        assert!(matches!(look("https://x.example/a.png"), Shown::Nothing(_)));
        assert!(matches!(look("data:image/svg+xml;base64,PHN2Zz4="), Shown::Nothing(_)));
        assert!(matches!(look("data:image/png;base64,\" onerror=x"), Shown::Nothing(_)));
        assert!(matches!(look("data:text/html,<script>"), Shown::Nothing(_)));
        assert!(matches!(look("data:image/png;base64,AAAA"), Shown::Nothing(_)));
    }
}

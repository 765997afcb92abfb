//! Points in time as they are spelled.

use recount_formats::Json;

use super::wire::{Fault, Read};

/// A point in time, RFC 3339 with its zone, in the spelling in which it was written.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(transparent)]
pub struct Timestamp(Box<str>);

impl Timestamp {
    /// Stands where the schema wants a time and nobody knows it: the Unix epoch.
    pub fn unknown() -> Self {
        Self("1970-01-01T00:00:00Z".into())
    }

    /// Whether it stands for a time that nobody knows.
    pub fn is_unknown(&self) -> bool {
        &*self.0 == "1970-01-01T00:00:00Z"
    }

    /// Takes text that is an RFC 3339 time.
    pub fn parse(text: &str) -> Option<Self> {
        is_rfc3339(text.as_bytes()).then(|| Self(text.into()))
    }

    /// A time from Unix milliseconds, in UTC; nothing outside the years 0 to 9999.
    pub fn from_millis(millis: i64) -> Option<Self> {
        let time = jiff::Timestamp::from_millisecond(millis).ok()?;
        Self::parse(&time.to_string())
    }

    /// The time in Unix milliseconds; nothing for the oddities that RFC 3339 allows and calendars do not.
    pub fn millis(&self) -> Option<i64> {
        self.0.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Read for Timestamp {
    fn read(value: Json<'_>) -> Result<Self, Fault> {
        let text = String::read(value)?;
        Self::parse(&text).ok_or_else(|| {
            let start: String = text.chars().take(40).collect();
            Fault::new(format!("`{}` is no time as RFC 3339 writes it", start.escape_debug()))
        })
    }
}

/// The grammar of RFC 3339 (section 5.6) with real dates. A leap second counts, whenever it is.
fn is_rfc3339(text: &[u8]) -> bool {
    fn number(digits: &[u8]) -> Option<u32> {
        digits.iter().try_fold(0, |n, d| d.is_ascii_digit().then(|| n * 10 + u32::from(d - b'0')))
    }
    let read = || {
        let (date, time) = (text.get(..10)?, text.get(11..19)?);
        matches!(text.get(10), Some(b'T' | b't')).then_some(())?;
        (date[4] == b'-' && date[7] == b'-' && time[2] == b':' && time[5] == b':').then_some(())?;
        let (year, month, day) = (number(&date[..4])?, number(&date[5..7])?, number(&date[8..])?);
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 => 28 + u32::from(leap),
            _ => return None,
        };
        ((1..=days).contains(&day)).then_some(())?;
        (number(&time[..2])? < 24 && number(&time[3..5])? < 60 && number(&time[6..])? <= 60)
            .then_some(())?;
        let mut zone = text.get(19..)?;
        if let [b'.', fraction @ ..] = zone {
            let digits = fraction.iter().take_while(|d| d.is_ascii_digit()).count();
            (digits > 0).then_some(())?;
            zone = &fraction[digits..];
        }
        match zone {
            [b'Z' | b'z'] => Some(()),
            [b'+' | b'-', h1, h2, b':', m1, m2] => {
                (number(&[*h1, *h2])? < 24 && number(&[*m1, *m2])? < 60).then_some(())
            }
            _ => None,
        }
    };
    read().is_some()
}

#[cfg(any(test, feature = "schema"))]
impl schemars::JsonSchema for Timestamp {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Timestamp".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        super::schema::made(serde_json::json!({
            "description": "RFC 3339, with a zone.",
            "type": "string",
            "format": "date-time",
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::Timestamp;

    #[test]
    fn times_are_those_of_rfc_3339() {
        for good in [
            "2026-11-02T09:14:05Z",
            "2024-02-29t23:59:60.000000000000z",
            "2026-01-31T00:00:00.5+05:30",
            "0000-01-01T00:00:00-00:00",
        ] {
            assert_eq!(Timestamp::parse(good).unwrap().as_str(), good);
        }
        for bad in [
            "2026-11-02 09:14:05Z",
            "2026-11-02T09:14:05",
            "2026-02-29T09:14:05Z",
            "2026-13-01T09:14:05Z",
            "2026-11-02T24:00:00Z",
            "2026-11-02T09:14:05.Z",
            "2026-11-02T09:14:05+0530",
            "2026-11-02T09:14Z",
            "+026-11-02T09:14:05Z",
            "2026-11-02T09:14:05é",
            "",
        ] {
            assert_eq!(Timestamp::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn milliseconds_become_times_and_come_back() {
        let time = Timestamp::from_millis(1_793_610_845_250).unwrap();
        assert_eq!(time.millis(), Some(1_793_610_845_250));
        assert_eq!(Timestamp::from_millis(i64::MAX), None);
        assert!(Timestamp::unknown().is_unknown());
    }
}

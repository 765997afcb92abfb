//! The protobuf wire format, as far as reading needs it: bytes to numbered fields.
//!
//! Nothing here knows a message: what a field means is said by the catalogue's tables (see
//! [`crate::cursor_agent::schema`]). Fields come in the order in which they stand, unknown ones too, so that
//! a reader can keep what it does not know. A group, which proto3 no longer has, is handed out whole.
//!
//! Any bytes at all may come in: a blob of a content-addressed store carries no type, so whatever a field
//! points at is read as what the field promises. Damage ends the reading with the offset where it was met;
//! what stood before it has been given already.

/// A field as it stands on the wire.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field<'a> {
    /// Its number.
    pub number: u32,
    /// Its value.
    pub value: Value<'a>,
    /// Offset of its key.
    pub at: usize,
}

/// A value by its wire type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// Wire type 0: integers, booleans, enumerations.
    Varint(u64),
    /// Wire type 1: doubles and fixed 64-bit integers, little endian.
    Fixed64(u64),
    /// Wire type 2: strings, bytes, messages, packed numbers.
    Bytes(&'a [u8]),
    /// Wire types 3 and 4: the fields between the start and the end of a group.
    Group(&'a [u8]),
    /// Wire type 5: floats and fixed 32-bit integers, little endian.
    Fixed32(u32),
}

impl<'a> Value<'a> {
    /// The bytes of a length-delimited value.
    pub const fn bytes(self) -> Option<&'a [u8]> {
        match self {
            Self::Bytes(b) => Some(b),
            _ => None,
        }
    }

    /// The number of a varint.
    pub const fn varint(self) -> Option<u64> {
        match self {
            Self::Varint(n) => Some(n),
            _ => None,
        }
    }
}

/// Why bytes are not a message, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Error {
    /// Offset of the byte at which the damage was noticed.
    pub at: usize,
    /// What is wrong there.
    pub what: &'static str,
    /// Whether the bytes ended too early, rather than being wrong in the middle.
    pub truncated: bool,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at byte {}", self.what, self.at)
    }
}

impl std::error::Error for Error {}

const fn wrong<T>(at: usize, what: &'static str) -> Result<T, Error> {
    Err(Error { at, what, truncated: false })
}

const fn cut<T>(at: usize) -> Result<T, Error> {
    Err(Error { at, what: "the bytes end inside a field", truncated: true })
}

/// Walks the fields of a message. After an error there is nothing more.
pub const fn fields(bytes: &[u8]) -> Fields<'_> {
    Fields { bytes, at: 0 }
}

/// Reads all fields up to the first damage.
pub fn read(bytes: &[u8]) -> (Vec<Field<'_>>, Option<Error>) {
    let mut all = Vec::new();
    for field in fields(bytes) {
        match field {
            Ok(field) => all.push(field),
            Err(e) => return (all, Some(e)),
        }
    }
    (all, None)
}

/// The fields of a message. See [`fields`].
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Field<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.at = self.bytes.len();
        }
        Some(field)
    }
}

impl<'a> Fields<'a> {
    fn field(&mut self) -> Result<Field<'a>, Error> {
        let start = self.at;
        let (number, kind) = self.key()?;
        let value = match kind {
            0 => Value::Varint(self.varint()?),
            1 => Value::Fixed64(u64::from_le_bytes(self.array()?)),
            2 => Value::Bytes(self.delimited()?),
            3 => Value::Group(self.group(start, number)?),
            5 => Value::Fixed32(u32::from_le_bytes(self.array()?)),
            4 => return wrong(start, "a group ends that did not begin"),
            _ => return wrong(start, "an unknown wire type"),
        };
        Ok(Field { number, value, at: start })
    }

    fn key(&mut self) -> Result<(u32, u8), Error> {
        let start = self.at;
        let key = self.varint()?;
        let number = key >> 3;
        if number == 0 || number > 0x1FFF_FFFF {
            return wrong(start, "a field number out of range");
        }
        Ok((number as u32, (key & 7) as u8))
    }

    fn varint(&mut self) -> Result<u64, Error> {
        let start = self.at;
        let mut number = 0_u64;
        for shift in (0..70).step_by(7) {
            let Some(&byte) = self.bytes.get(self.at) else { return cut(self.at) };
            self.at += 1;
            // The tenth byte holds one bit; what goes beyond 64 bits is dropped, as protobuf does it.
            number |= u64::from(byte & 0x7F).checked_shl(shift).unwrap_or(0);
            if byte < 0x80 {
                return Ok(number);
            }
        }
        wrong(start, "a number of more than ten bytes")
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8], Error> {
        let end = self.at.checked_add(len).filter(|&end| end <= self.bytes.len());
        let Some(end) = end else { return cut(self.bytes.len()) };
        let bytes = &self.bytes[self.at..end];
        self.at = end;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        self.take(N)?.try_into().or_else(|_| cut(self.bytes.len()))
    }

    fn delimited(&mut self) -> Result<&'a [u8], Error> {
        let len = self.varint()?;
        let Ok(len) = usize::try_from(len) else { return cut(self.bytes.len()) };
        self.take(len)
    }

    /// Skips to the end of the group whose key stood at `start`. Depth is counted on the heap, not on the stack.
    fn group(&mut self, start: usize, number: u32) -> Result<&'a [u8], Error> {
        let first = self.at;
        let mut open = vec![number];
        while !open.is_empty() {
            let key_at = self.at;
            if key_at >= self.bytes.len() {
                return cut(key_at);
            }
            let (number, kind) = self.key()?;
            match kind {
                0 => drop(self.varint()?),
                1 => drop(self.take(8)?),
                2 => drop(self.delimited()?),
                3 => open.push(number),
                4 if open.last() == Some(&number) => {
                    open.pop();
                    if open.is_empty() {
                        return Ok(&self.bytes[first..key_at]);
                    }
                }
                4 => return wrong(key_at, "the end of another group"),
                5 => drop(self.take(4)?),
                _ => return wrong(key_at, "an unknown wire type"),
            }
        }
        wrong(start, "a group without an end")
    }
}

/// The signed number that `sint32` and `sint64` store as a zigzag.
pub const fn zigzag(number: u64) -> i64 {
    ((number >> 1) as i64) ^ -((number & 1) as i64)
}

/// Numbers that a repeated scalar field stores in one run of bytes; damage ends the run.
pub fn packed(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    let mut run = fields(bytes);
    std::iter::from_fn(move || if run.at < bytes.len() { run.varint().ok() } else { None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Field<'_>> {
        let (fields, error) = read(bytes);
        assert_eq!(error, None);
        fields
    }

    #[test]
    fn each_wire_type_is_read() {
        let bytes = [
            0x08, 0x96, 0x01, // 1: varint 150
            0x12, 0x02, b'h', b'i', // 2: bytes
            0x19, 1, 0, 0, 0, 0, 0, 0, 0x80, // 3: fixed 64
            0x25, 2, 0, 0, 0, // 4: fixed 32
            0x2B, 0x08, 0x01, 0x2C, // 5: group {1: 1}
        ];
        let values: Vec<_> = all(&bytes).iter().map(|f| (f.number, f.value, f.at)).collect();
        assert_eq!(
            values,
            [
                (1, Value::Varint(150), 0),
                (2, Value::Bytes(b"hi"), 3),
                (3, Value::Fixed64(0x8000_0000_0000_0001), 7),
                (4, Value::Fixed32(2), 16),
                (5, Value::Group(&[0x08, 0x01]), 21),
            ]
        );
    }

    #[test]
    fn negative_and_largest_numbers_survive() {
        let mut bytes = vec![0x08];
        bytes.extend([0xFF; 9]);
        bytes.push(0x01);
        assert_eq!(all(&bytes)[0].value, Value::Varint(u64::MAX));
        assert_eq!(zigzag(u64::MAX), i64::MIN);
        assert_eq!(zigzag(1), -1);
        assert_eq!(zigzag(2), 1);
    }

    #[test]
    fn damage_names_its_offset_and_keeps_what_came_before() {
        for (bytes, at, truncated) in [
            (&[0x08, 0x01, 0x12, 0x05, b'x'][..], 5, true), // five bytes promised, one there
            (&[0x08, 0x01, 0x12][..], 3, true),             // no length
            (&[0x08, 0x01, 0x19, 0x00][..], 4, true),       // fixed 64 cut
            (&[0x08, 0x01, 0x0F][..], 2, false),            // wire type 7
            (&[0x08, 0x01, 0x00, 0x00][..], 2, false),      // field 0
            (&[0x08, 0x01, 0x14][..], 2, false),            // end of a group that did not begin
            (&[0x08, 0x01, 0x13, 0x1C][..], 3, false),      // end of another group
            (&[0x08, 0x01, 0x13][..], 3, true),             // group without an end
        ] {
            let (fields, error) = read(bytes);
            let error = error.expect("damage is told");
            assert_eq!(fields.len(), 1, "{bytes:?}");
            assert_eq!((error.at, error.truncated), (at, truncated), "{bytes:?}: {error}");
        }
    }

    #[test]
    fn a_length_beyond_memory_is_damage() {
        let mut bytes = vec![0x0A];
        bytes.extend([0xFF; 9]);
        bytes.push(0x01);
        assert!(read(&bytes).1.is_some_and(|e| e.truncated));
    }

    #[test]
    fn deep_groups_need_no_stack() {
        let mut bytes = vec![0x0B; 200_000];
        bytes.extend(vec![0x0C; 200_000]);
        assert_eq!(all(&bytes).len(), 1);
    }

    #[test]
    fn packed_numbers_are_unpacked() {
        assert_eq!(packed(&[0x01, 0x96, 0x01, 0x00]).collect::<Vec<_>>(), [1, 150, 0]);
        assert_eq!(packed(&[0x01, 0x96]).collect::<Vec<_>>(), [1]);
    }

    mod props {
        use proptest::prelude::*;

        use super::super::*;

        fn put_varint(out: &mut Vec<u8>, mut n: u64) {
            while n >= 0x80 {
                out.push(n as u8 | 0x80);
                n >>= 7;
            }
            out.push(n as u8);
        }

        #[derive(Debug, Clone)]
        enum Made {
            Varint(u64),
            Fixed64(u64),
            Bytes(Vec<u8>),
            Fixed32(u32),
        }

        fn made() -> impl Strategy<Value = Vec<(u32, Made)>> {
            let value = prop_oneof![
                any::<u64>().prop_map(Made::Varint),
                any::<u64>().prop_map(Made::Fixed64),
                proptest::collection::vec(any::<u8>(), 0..40).prop_map(Made::Bytes),
                any::<u32>().prop_map(Made::Fixed32),
            ];
            proptest::collection::vec((1_u32..0x2000_0000, value), 0..12)
        }

        fn encode(fields: &[(u32, Made)]) -> Vec<u8> {
            let mut out = Vec::new();
            for (number, value) in fields {
                let kind = match value {
                    Made::Varint(_) => 0,
                    Made::Fixed64(_) => 1,
                    Made::Bytes(_) => 2,
                    Made::Fixed32(_) => 5,
                };
                put_varint(&mut out, u64::from(*number) << 3 | kind);
                match value {
                    Made::Varint(n) => put_varint(&mut out, *n),
                    Made::Fixed64(n) => out.extend(n.to_le_bytes()),
                    Made::Bytes(b) => {
                        put_varint(&mut out, b.len() as u64);
                        out.extend(b);
                    }
                    Made::Fixed32(n) => out.extend(n.to_le_bytes()),
                }
            }
            out
        }

        proptest! {
            #[test]
            fn any_bytes_end(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
                let (fields, error) = read(&bytes);
                prop_assert!(fields.len() <= bytes.len());
                let ordered = fields.windows(2).all(|w| w[0].at < w[1].at);
                prop_assert!(ordered);
                if let Some(e) = error {
                    prop_assert!(e.at <= bytes.len());
                }
            }

            #[test]
            fn what_was_written_is_read(fields in made()) {
                let bytes = encode(&fields);
                let (got, error) = read(&bytes);
                prop_assert_eq!(error, None);
                prop_assert_eq!(got.len(), fields.len());
                for (got, (number, value)) in got.iter().zip(&fields) {
                    prop_assert_eq!(got.number, *number);
                    let same = match (got.value, value) {
                        (Value::Varint(a), Made::Varint(b)) | (Value::Fixed64(a), Made::Fixed64(b)) => a == *b,
                        (Value::Bytes(a), Made::Bytes(b)) => a == b,
                        (Value::Fixed32(a), Made::Fixed32(b)) => a == *b,
                        _ => false,
                    };
                    prop_assert!(same);
                }
            }

            #[test]
            fn a_cut_message_gives_a_prefix(fields in made(), cut in 0_usize..400) {
                let bytes = encode(&fields);
                let cut = cut.min(bytes.len());
                let (whole, _) = read(&bytes);
                let (got, error) = read(&bytes[..cut]);
                prop_assert_eq!(&got[..], &whole[..got.len()]);
                if let Some(e) = error {
                    prop_assert!(e.truncated);
                    prop_assert_eq!(e.at, cut);
                }
            }
        }
    }
}

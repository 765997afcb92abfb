//! The fields of the text index.

use tantivy::schema::{
    FAST, Field, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{TextAnalyzer, TokenizerManager};

use super::tokenize::Words;

/// The name of the field with the number.
pub(crate) const NUMBER: &str = "number";

/// The fields.
#[derive(Debug, Clone)]
pub(crate) struct Fields {
    pub(crate) schema: Schema,
    /// What an item says.
    pub(crate) text: Field,
    /// What stands in a session outside of its items.
    pub(crate) rest: Field,
    /// `role:user`, `tool:bash`, …
    pub(crate) tag: Field,
    /// The paths that an item names.
    pub(crate) file: Field,
    /// The number of the document: the table tells whether it counts, and of which session it is.
    pub(crate) number: Field,
    /// Milliseconds since 1970.
    pub(crate) time: Field,
    /// The role, as a number.
    pub(crate) role: Field,
    /// Where the item is: see `Place`.
    pub(crate) place: Field,
}

impl Fields {
    pub(crate) fn new() -> Self {
        let mut schema = Schema::builder();
        let words = |record, norms| {
            let indexing = TextFieldIndexing::default()
                .set_tokenizer(Words::NAME)
                .set_index_option(record)
                .set_fieldnorms(norms);
            TextOptions::default().set_indexing_options(indexing)
        };
        let raw = TextOptions::default().set_indexing_options(
            TextFieldIndexing::default()
                .set_tokenizer("raw")
                .set_index_option(IndexRecordOption::Basic)
                .set_fieldnorms(false),
        );
        let text =
            schema.add_text_field("text", words(IndexRecordOption::WithFreqsAndPositions, true));
        let rest =
            schema.add_text_field("rest", words(IndexRecordOption::WithFreqsAndPositions, false));
        let tag = schema.add_text_field("tag", raw);
        let file =
            schema.add_text_field("file", words(IndexRecordOption::WithFreqsAndPositions, false));
        let number = schema.add_u64_field(NUMBER, FAST);
        let time = schema.add_i64_field("time", FAST);
        let role = schema.add_u64_field("role", FAST);
        let place = schema.add_bytes_field("place", STORED);
        Self { schema: schema.build(), text, rest, tag, file, number, time, role, place }
    }
}

/// The tokenizers that the fields name.
pub(crate) fn tokenizers() -> TokenizerManager {
    // It has `raw`, and `default`, which fields of numbers want to be there.
    let manager = TokenizerManager::default();
    manager.register(Words::NAME, TextAnalyzer::from(Words));
    manager
}

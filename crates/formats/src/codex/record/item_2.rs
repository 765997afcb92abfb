// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of Codex: item.

use crate::json::{Json, Text};
use crate::view::{List, views};

views! {
    /// `event_msg / item_completed / Extension / clock.sleep`: The agent waited for a while.
    ItemExtensionClockSleep {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemExtensionClockSleepItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemExtensionClockSleepItem {
        type_: Text<'a> = "type",
        kind: Text<'a> = "kind",
        id: Text<'a> = "id",
        duration_ms: i64 = "durationMs",
    }

    /// `event_msg / item_completed / Extension / image_gen.generation`: A picture made by an extension of Codex.
    ItemExtensionImageGenGeneration {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemExtensionImageGenGenerationItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemExtensionImageGenGenerationItem {
        type_: Text<'a> = "type",
        kind: Text<'a> = "kind",
        id: Text<'a> = "id",
        status: Text<'a> = "status",
        revised_prompt: Text<'a> = "revisedPrompt",
        result: Text<'a> = "result",
        file_id: Text<'a> = "fileId",
        transparent_background: bool = "transparentBackground",
        failure: Json<'a> = "failure",
        saved_path: Text<'a> = "savedPath",
        input_images: List<'a, ItemExtensionImageGenGenerationItemInputImagesElement<'a>> = "inputImages",
    }

    /// A part of the record above.
    ItemExtensionImageGenGenerationItemInputImagesElement {
        path: Text<'a> = "path",
        sha256: Text<'a> = "sha256",
    }
}

// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of Codex: realtime item.

use crate::json::Text;
use crate::view::views;

views! {
    /// `realtime_item / realtime_session_started`: A voice session begins.
    RealtimeRealtimeSessionStarted {
        id: Text<'a> = "id",
        realtime_session_id: Text<'a> = "realtime_session_id",
    }

    /// `realtime_item / transcript_segment`: A stretch of speech, written down: the user's or the assistant's.
    RealtimeTranscriptSegment {
        id: Text<'a> = "id",
        realtime_session_id: Text<'a> = "realtime_session_id",
        role: Text<'a> = "role",
        text: Text<'a> = "text",
    }

    /// `realtime_item / bem_item_promoted`: Something the agent had produced was shown in the voice conversation.
    RealtimeBemItemPromoted {
        id: Text<'a> = "id",
        realtime_session_id: Text<'a> = "realtime_session_id",
        turn_id: Text<'a> = "turn_id",
        item_id: Text<'a> = "item_id",
        presentation: RealtimeBemItemPromotedPresentation<'a> = "presentation",
    }

    /// A part of the record above.
    RealtimeBemItemPromotedPresentation {
        type_: Text<'a> = "type",
        index: i64 = "index",
    }

    /// `realtime_item / realtime_session_closed`: The voice session is over.
    RealtimeRealtimeSessionClosed {
        id: Text<'a> = "id",
        realtime_session_id: Text<'a> = "realtime_session_id",
        outcome: Text<'a> = "outcome",
    }
}

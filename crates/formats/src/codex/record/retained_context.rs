// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of Codex: retained context.

use crate::json::Text;
use crate::view::{List, views};

views! {
    /// `retained_context / verified_answer`: Answers of the user to the agent's questions, kept for later reviews; the model does not get this line.
    RetainedContextVerifiedAnswer {
        turn_id: Text<'a> = "turn_id",
        call_id: Text<'a> = "call_id",
        questions: List<'a, RetainedContextVerifiedAnswerQuestionsElement<'a>> = "questions",
        acceptance_order: i64 = "acceptance_order",
    }

    /// A part of the record above.
    RetainedContextVerifiedAnswerQuestionsElement {
        question: Text<'a> = "question",
        answer: Text<'a> = "answer",
    }
}

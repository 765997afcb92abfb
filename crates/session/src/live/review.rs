//! Reviews: what is looked at, and what was found.

use serde_json::{Value, json};

use super::Misfit;
use crate::json::RawJson;

/// What a review looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReviewTarget {
    /// What has changed and is not committed.
    UncommittedChanges,
    /// The difference from a branch.
    BaseBranch(String),
    /// A commit.
    Commit {
        /// Its hash.
        sha: String,
        /// Its subject.
        title: Option<String>,
    },
    /// What the person has written.
    Custom(String),
}

impl ReviewTarget {
    /// As records have it.
    pub fn stored(&self) -> RawJson {
        RawJson::of(&match self {
            Self::UncommittedChanges => json!({"type": "uncommittedChanges"}),
            Self::BaseBranch(branch) => json!({"type": "baseBranch", "branch": branch}),
            Self::Commit { sha, title } => json!({"type": "commit", "sha": sha, "title": title}),
            Self::Custom(text) => json!({"type": "custom", "instructions": text}),
        })
    }
}

/// What a review found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Review {
    /// The single remarks.
    pub findings: Vec<ReviewFinding>,
    /// The verdict in a few words.
    pub correctness: String,
    /// The reasons for it.
    pub explanation: String,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
}

/// A remark of a review.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReviewFinding {
    /// Its headline.
    pub title: String,
    /// The remark, Markdown.
    pub body: String,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// How urgent; 0 is the most.
    pub priority: i32,
    /// The file.
    pub path: String,
    /// Its first and its last line.
    pub lines: (u32, u32),
}

impl Review {
    /// As records have it.
    pub fn stored(&self) -> RawJson {
        let finding = |f: &ReviewFinding| {
            json!({
                "title": f.title, "body": f.body, "confidence_score": f.confidence, "priority": f.priority,
                "code_location": {
                    "absolute_file_path": f.path,
                    "line_range": {"start": f.lines.0, "end": f.lines.1},
                },
            })
        };
        RawJson::of(&json!({
            "findings": self.findings.iter().map(finding).collect::<Vec<Value>>(),
            "overall_correctness": self.correctness,
            "overall_explanation": self.explanation,
            "overall_confidence_score": self.confidence,
        }))
    }

    /// Whether Codex can read it.
    pub(super) fn check(&self) -> Result<(), Misfit> {
        let mut all = self.findings.iter().map(|f| f.confidence).chain([self.confidence]);
        if all.all(f64::is_finite) {
            Ok(())
        } else {
            Err(Misfit::Unsupported("how sure a review is has to be a number"))
        }
    }
}

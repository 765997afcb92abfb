//! The answer to `thread/resume`.

use serde::Serialize;

use super::thread::ThreadDto;
use super::turn::TurnDto;
use crate::threads::Page;

/// `ThreadResumeResponse`
///
/// Codex's server tells here how it would go on with the thread. recount cannot: it asks nobody, and may do nothing but
/// read.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Resumed<'a> {
    /// The thread.
    pub thread: ThreadDto<'a>,
    model: &'a str,
    model_provider: &'a str,
    service_tier: Option<()>,
    cwd: &'a str,
    runtime_workspace_roots: [&'a str; 1],
    instruction_sources: [(); 0],
    approval_policy: &'static str,
    approvals_reviewer: &'static str,
    sandbox: Sandbox,
    active_permission_profile: Option<()>,
    reasoning_effort: Option<&'a str>,
    /// A page of turns, where it was asked for.
    pub initial_turns_page: Option<Page<TurnDto<'a>>>,
    /// Where to read turns backwards from.
    pub turns_backwards_cursor: Option<String>,
    /// Where to read items backwards from.
    pub items_backwards_cursor: Option<String>,
}

/// `SandboxPolicy`
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Sandbox {
    ReadOnly { network_access: bool },
}

impl<'a> Resumed<'a> {
    /// For a thread, without pages.
    pub fn new(thread: ThreadDto<'a>) -> Self {
        Self {
            model: thread.model.unwrap_or("unknown"),
            model_provider: thread.model_provider,
            service_tier: None,
            cwd: thread.cwd,
            runtime_workspace_roots: [thread.cwd],
            instruction_sources: [],
            approval_policy: "never",
            approvals_reviewer: "user",
            sandbox: Sandbox::ReadOnly { network_access: false },
            active_permission_profile: None,
            reasoning_effort: thread.reasoning_effort,
            initial_turns_page: None,
            turns_backwards_cursor: None,
            items_backwards_cursor: None,
            thread,
        }
    }
}

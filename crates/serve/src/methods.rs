//! The methods of the protocol: which are served, and what is said of the others.

use crate::rpc::Error;

/// Methods for which a model or a live agent is needed.
const NEED_MODEL: &[&str] = &[
    "command/exec",
    "command/exec/resize",
    "command/exec/terminate",
    "command/exec/write",
    "process/kill",
    "process/resizePty",
    "process/spawn",
    "process/writeStdin",
    "review/start",
    "thread/approveGuardianDeniedAction",
    "thread/backgroundTerminals/clean",
    "thread/backgroundTerminals/list",
    "thread/backgroundTerminals/terminate",
    "thread/compact/start",
    "thread/inject_items",
    "thread/prediction/request",
    "thread/queue/add",
    "thread/queue/delete",
    "thread/queue/list",
    "thread/queue/reorder",
    "thread/queue/start",
    "thread/queue/update",
    "thread/realtime/appendAudio",
    "thread/realtime/appendSpeech",
    "thread/realtime/appendText",
    "thread/realtime/listVoices",
    "thread/realtime/start",
    "thread/realtime/stop",
    "thread/sample",
    "thread/sample/cancel",
    "thread/settings/update",
    "thread/shellCommand",
    "thread/start",
    "turn/interrupt",
    "turn/settings/update",
    "turn/start",
    "turn/steer",
];

/// The groups of methods that Codex has besides: accounts, files, plugins and so on.
const OTHERS: &[&str] = &[
    "account/",
    "app/",
    "collaborationMode/",
    "config",
    "environment/",
    "experimentalFeature/",
    "externalAgentConfig/",
    "feedback/",
    "fs/",
    "fuzzyFileSearch",
    "hooks/",
    "marketplace/",
    "mcpServer",
    "memory/",
    "mock/",
    "model/",
    "modelProvider/",
    "permissionProfile/",
    "plugin/",
    "project/",
    "remoteControl/",
    "rollout/",
    "server/",
    "skills/",
    "thread/",
    "threadSection/",
    "userVerification/",
    "windowsSandbox/",
];

/// What is said to a client that asks for something that is not served.
pub fn not_served(method: &str) -> Error {
    Error::method(if NEED_MODEL.contains(&method) {
        format!(
            "`{method}` is not supported: it needs a model, and recount runs none; it serves what agents have written"
        )
    } else if OTHERS.iter().any(|group| method.starts_with(group)) {
        format!("`{method}` is not supported: recount serves threads and nothing else")
    } else {
        format!("unknown method `{method}`")
    })
}

//! Items that look at files.

use std::borrow::Cow;

use super::ItemKind;

/// What a tool is called that reads, searches or lists.
pub(crate) fn tool(name: &str) -> Option<&'static str> {
    match name.to_ascii_lowercase().as_str() {
        "read" | "read_file" | "readfile" | "view" => Some("read"),
        "grep" | "search" | "grep_search" | "codebase_search" | "semantic_search" | "semsearch" => {
            Some("search")
        }
        "glob" | "ls" | "list" | "list_dir" | "list_files" | "find" | "file_search" => Some("list"),
        _ => None,
    }
}

impl ItemKind {
    /// The path of the one file whose content came back, when it did nothing but read that.
    pub fn file_read(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::DynamicToolCall { tool: name, arguments, .. } if tool(name) == Some("read") => {
                let arguments = arguments.get();
                ["file_path", "path", "filePath"].iter().find_map(|key| arguments.str(key))
            }
            Self::CommandExecution { command_actions, .. } => {
                let mut actions = command_actions.get().elements();
                let (only, None) = (actions.next()?, actions.next()) else { return None };
                only.str("path").filter(|_| only.str("type").as_deref() == Some("read"))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RawJson;
    use crate::model::item::ItemStatus;

    fn call(tool: &str, arguments: &str) -> ItemKind {
        ItemKind::DynamicToolCall {
            tool: tool.to_owned(),
            namespace: None,
            arguments: RawJson::parse(arguments).unwrap(),
            status: ItemStatus::Completed,
            content_items: None,
            success: None,
            duration_ms: None,
        }
    }

    #[test]
    fn files_that_were_read_are_known() {
        assert_eq!(
            call("Read", r#"{"file_path":"a/b.rs"}"#).file_read().as_deref(),
            Some("a/b.rs")
        );
        assert_eq!(
            call("read", r#"{"path":"b.rs","offset":3}"#).file_read().as_deref(),
            Some("b.rs")
        );
        assert_eq!(call("Write", r#"{"file_path":"a.rs"}"#).file_read(), None);
        assert_eq!(call("Read", r#"["a.rs"]"#).file_read(), None);
    }
}

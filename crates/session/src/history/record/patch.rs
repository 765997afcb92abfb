//! Changes of files.

use crate::history::wire::{Map, object, tagged, words};

words! {
    /// What became of a line.
    DiffLineKind {
        /// It stayed.
        Context = "context",
        /// It is new.
        Added = "added",
        /// It is gone.
        Removed = "removed",
    }
}

object! {
    /// A line of a difference.
    DiffLine {
        /// What became of it.
        kind: DiffLineKind,
        /// The line, without the sign in front.
        text: String,
    }
}

object! {
    /// Lines that changed together.
    DiffHunk {
        /// Where they stand.
        header: String,
        /// The lines.
        lines: Vec<DiffLine>,
    }
}

object! {
    /// A difference between two texts.
    Diff {
        /// The parts.
        hunks: Vec<DiffHunk>,
    }
}

words! {
    /// How changes stand.
    PatchEvent {
        /// They are being made.
        ApplyBegin = "apply_begin",
        /// They were made.
        ApplySuccess = "apply_success",
        /// They could not be made.
        ApplyFailure = "apply_failure",
        /// They were proposed.
        Proposed = "proposed",
    }
}

object! {
    /// A new file.
    AddedFile {
        /// Its content.
        content: String,
    }
}

object! {
    /// A file that is gone.
    DeletedFile {
        ? /// What it held.
        content: String,
    }
}

object! {
    /// A file that changed.
    UpdatedFile {
        /// What changed, as a unified diff.
        unified_diff: String,
        ? /// Its new path.
        move_path: String,
    }
}

tagged! {
    /// What was done to a file.
    FileChange {
        /// It is new.
        Add(AddedFile) = "add",
        /// It is gone.
        Delete(DeletedFile) = "delete",
        /// It changed.
        Update(UpdatedFile) = "update",
    }
}

object! {
    /// Why changes could not be made.
    PatchFailure {
        /// What was said.
        message: String,
        ? /// Part of standard output.
        stdout_excerpt: String,
        ? /// Part of standard error.
        stderr_excerpt: String,
    }
}

object! {
    /// Changes of files.
    Patch {
        /// How they stand.
        event: PatchEvent,
        /// The changes by path.
        changes: Map<FileChange>,
        ? /// Whether nobody was asked.
        auto_approved: bool,
        ? /// Why they could not be made.
        failure: PatchFailure,
    }
}

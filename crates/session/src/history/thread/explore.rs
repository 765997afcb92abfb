//! Looks that belong together: reads, searches and lists in a row are one look around.

use super::Cell;
use crate::history::Unknown;
use crate::history::record::exec::Explore;

/// Puts a record before each row of looks. The looks stay as they are: they hold what was found.
pub(super) fn grouped(cells: Vec<Cell>) -> Vec<Cell> {
    let mut out: Vec<Cell> = Vec::with_capacity(cells.len() + cells.len() / 4);
    let mut cells = cells.into_iter().peekable();
    while let Some(cell) = cells.next() {
        if cell.look.is_none() {
            out.push(cell);
            continue;
        }
        let (key, origin) = (format!("{}/explore", cell.key), cell.origin.clone());
        let turn = |cell: &Cell| cell.origin.as_ref().map(|o| o.turn);
        let here = turn(&cell);
        let mut row = vec![cell];
        while let Some(next) = cells.next_if(|next| next.look.is_some() && turn(next) == here) {
            row.push(next);
        }
        let entries = row.iter_mut().filter_map(|cell| cell.look.take()).collect();
        let kind = Explore { entries, trailing: cells.peek().is_none(), other: Unknown::default() };
        let origin = origin.map(|mut origin| {
            "explore".clone_into(&mut origin.item_type);
            origin
        });
        out.push(Cell { key, kind: kind.into(), origin, call: None, look: None });
        out.append(&mut row);
    }
    out
}

// Finding in a session: the server looks through all of it, the browser marks what is in sight.

/** Marks a text in nodes without changing them, where the browser can. */
export function highlight(nodes, text) {
  if (!CSS.highlights) return;
  const wanted = text.toLowerCase();
  if (!wanted) {
    CSS.highlights.delete("find");
    return;
  }
  const ranges = [];
  for (const root of nodes) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && ranges.length < 2000; node = walker.nextNode()) {
      const content = node.data.toLowerCase();
      // Lower case may be longer; then places would not fit.
      if (content.length !== node.data.length) continue;
      for (let at = content.indexOf(wanted); at >= 0 && ranges.length < 2000; at = content.indexOf(wanted, at + wanted.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + wanted.length);
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set("find", new Highlight(...ranges));
}

/** Unfolds what hides a text in a node, and gives the element that holds it. */
export function reveal(node, text) {
  const wanted = text.toLowerCase();
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  for (let at = walker.nextNode(); at; at = walker.nextNode()) {
    if (!at.data.toLowerCase().includes(wanted)) continue;
    for (let up = at.parentElement; up && up !== node; up = up.parentElement) {
      if (up.localName === "details" && !(at.parentElement.closest("summary")?.parentElement === up)) up.open = true;
    }
    return at.parentElement;
  }
  // The text stands in a part of the server's record that is folded or cut: everything is unfolded.
  for (const details of node.querySelectorAll(".body details")) details.open = true;
  return null;
}

"use strict";
(() => {
  // What an address points at may be folded.
  const reveal = () => {
    let node = null;
    try { node = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { return; }
    if (!node) return;
    for (let at = node; at; at = at.parentElement) if (at.localName === "details") at.open = true;
    node.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();

  const calls = "main details";
  if (!document.querySelector(calls)) return;
  const box = document.createElement("div");
  box.className = "buttons";
  const button = (name, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = name;
    made.addEventListener("click", act);
    box.append(made);
  };
  const all = (open) => () => document.querySelectorAll(calls).forEach((node) => { node.open = open; });
  button("Open all", all(true));
  button("Fold all", all(false));
  document.body.append(box);

  // What is folded would not be on paper.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("main details:not([open])")];
    folded.forEach((node) => { node.open = true; });
  });
  addEventListener("afterprint", () => folded.forEach((node) => { node.open = false; }));

  // j and k go from turn to turn.
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !["j", "k"].includes(event.key)) return;
    const turns = [...document.querySelectorAll("main > .turn")];
    const tops = turns.map((turn) => turn.getBoundingClientRect().top);
    const next = event.key === "j" ? tops.findIndex((top) => top > 8) : tops.findLastIndex((top) => top < -8);
    if (turns[next]) turns[next].scrollIntoView({ behavior: "instant" });
  });
})();

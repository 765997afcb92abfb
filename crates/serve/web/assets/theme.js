// Runs before the first paint, so it is no module: sets the chosen theme, and hides what is there for people without
// scripts until the page has drawn itself.
"use strict";
(() => {
  const root = document.documentElement;
  // A cookie and not the local storage: each start of the server has another port, hence another origin.
  const chosen = /(?:^|; )recount_theme=(light|dark)/.exec(document.cookie);
  if (chosen) root.dataset.theme = chosen[1];
  root.classList.add("js");
  // If the modules do not load, what the server wrote is shown after all.
  setTimeout(() => { if (!root.classList.contains("ready")) root.classList.remove("js"); }, 4000);
})();

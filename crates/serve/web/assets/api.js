// The page's only source: the JSON API of the server that it came from.

export class ApiError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
    if (status === 0) this.title = "The server does not answer";
    else if (status === 401 || status === 403) this.title = "The server does not know this browser";
    else if (status === 404) this.title = "There is nothing here";
  }
}

/** Asks the API. Parameters that are empty are left out. */
export async function get(path, parameters = {}, signal = undefined) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "") query.append(name, value);
  }
  const address = query.size > 0 ? `/api/${path}?${query}` : `/api/${path}`;
  let answer;
  try {
    answer = await fetch(address, { signal, headers: { accept: "application/json" } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "unreachable", "Is `recount serve` still running? Start it again and open the address that it prints.");
  }
  if (answer.ok) return answer.json();
  let told = null;
  try {
    told = (await answer.json()).error;
  } catch {
    // An answer without a body in JSON: the status has to do.
  }
  const unknown = answer.status === 401 || answer.status === 403
    ? "Open the address that `recount serve` printed: it holds the token."
    : `The server answered with status ${answer.status}.`;
  throw new ApiError(answer.status, told?.code ?? "unknown", told?.message ?? unknown);
}

/** The part of an address that names a session. */
export const session = (id) => `sessions/${encodeURIComponent(id)}`;

let lost;
function connection(state) {
  lost?.remove();
  lost = undefined;
  if (state === "open") return;
  lost = document.createElement("p");
  lost.className = "lost";
  lost.setAttribute("role", "status");
  lost.textContent = state === "closed"
    ? "The server was started anew: open the address that it printed."
    : "The server does not answer. This page goes on by itself when it is back.";
  document.body.append(lost);
}

/**
 * Listens to server-sent events. `again` is called when the connection was lost and is back: what happened meanwhile was
 * not told.
 */
export function listen(path, handlers, again) {
  let source;
  let opened = 0;
  const begin = () => {
    // A page that comes back is told so twice.
    source?.close();
    source = new EventSource(`/api/${path}`);
    source.addEventListener("open", () => {
      connection("open");
      opened += 1;
      if (opened > 1) again?.();
    });
    source.addEventListener("error", () => connection(source.readyState === EventSource.CLOSED ? "closed" : "waiting"));
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => {
        let data = null;
        try {
          data = JSON.parse(event.data);
        } catch {
          // An event without data.
        }
        handle(data);
      });
    }
  };
  if (!document.hidden) begin();
  // A browser holds six connections to a server at most: tabs that nobody sees would block those that are looked at. An
  // open connection also keeps a page out of the cache for going back.
  document.addEventListener("visibilitychange", () => {
    source?.close();
    if (!document.hidden) begin();
  });
  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", (event) => { if (event.persisted) begin(); });
}

/** Where a hit is: its session where it stands outside of items. */
export const address = (hit) => `/s/${encodeURIComponent(hit.id)}${hit.branch ? `?branch=${encodeURIComponent(hit.branch)}` : ""}${hit.itemId ? `#item-${encodeURIComponent(hit.itemId)}` : ""}`;

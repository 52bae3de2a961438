// The inbox while it is open: what others decide appears by itself, and single keys work.
//
// A page asks the server for a small mark, again and again, and loads itself anew when the mark has
// changed; only the regions that differ are replaced, and never a form in which somebody writes.
// Without this file everything works the same, after a reload.

const BUSY = 1000;
const CALM = 3000;
const LONGEST = 60_000;
const KEYS_OFF = "agentui.keys.off";

/** Asks `url()` until `stop()`; rests while nobody looks, and longer after each failure. */
class Poll {
  #url;
  #take;
  #pause = CALM;
  #timer = 0;
  #stopped = false;

  constructor(url, take) {
    this.#url = url;
    this.#take = take;
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#soon(0);
    });
  }

  start(pause) {
    this.#soon(pause);
  }

  #soon(pause) {
    clearTimeout(this.#timer);
    if (!this.#stopped) this.#timer = setTimeout(() => this.#ask(), pause);
  }

  async #ask() {
    if (document.hidden) return;
    try {
      const answer = await fetch(this.#url(), {
        headers: { Accept: "application/json" },
        credentials: "same-origin",
      });
      if (answer.redirected || [403, 404].includes(answer.status)) {
        this.#stopped = true; // Signed out, or no longer for this person: a reload says so.
        return;
      }
      if (!answer.ok) throw new Error(String(answer.status));
      this.#pause = (await this.#take(await answer.json())) ?? CALM;
    } catch {
      this.#pause = Math.min(this.#pause * 2, LONGEST);
    }
    this.#soon(this.#pause);
  }
}

/** The page at `url` as a document. No text becomes markup here: the browser parses the answer. */
function load(url) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", url);
    request.responseType = "document";
    request.onload = () =>
      request.status === 200 && request.response
        ? resolve(request.response)
        : reject(new Error(String(request.status)));
    request.onerror = () => reject(new Error("no answer"));
    request.send();
  });
}

// --- the page of one request ---------------------------------------------------------------------

/** Somebody has begun to write or to choose in this region. */
function isInUse(region) {
  const form = region.querySelector("form[data-agentui-decide]");
  if (!form) return false;
  if (form.contains(document.activeElement) || form.querySelector("details[open]")) return true;
  return [...form.querySelectorAll("textarea, input:not([type=hidden])")].some(
    (field) => field.value !== field.defaultValue,
  );
}

function replaceRegions(fresh, { force }) {
  let changed = false;
  let held = false;
  for (const region of document.querySelectorAll("[data-agentui-region]")) {
    const other = fresh.getElementById(region.id);
    if (!other || other.innerHTML.replace(TOKEN, "") === region.innerHTML.replace(TOKEN, "")) {
      continue;
    }
    if (!force && isInUse(region)) {
      held = true;
      continue;
    }
    const open = [...region.querySelectorAll("details")].map((details) => details.open);
    region.replaceChildren(...document.importNode(other, true).childNodes);
    if (region.id !== "inbox-decision") {
      region.querySelectorAll("details").forEach((details, at) => {
        if (open[at]) details.open = true;
      });
    }
    changed = true;
  }
  return { changed, held };
}
// Every copy of a form has a token of its own.
const TOKEN = /name="csrfmiddlewaretoken" value="[^"]*"/g;

function followPage(root) {
  let { mark } = root.dataset;
  let wasWaiting = root.dataset.waiting === "1";
  const news = document.getElementById("inbox-news");
  const poll = new Poll(
    () => root.dataset.agentuiLive,
    async (state) => {
      if (state.mark !== mark) {
        const fresh = await load(root.dataset.agentuiPage);
        const status = fresh.getElementById("inbox-status");
        // What is decided cannot be decided again, so a form that somebody writes in may go.
        const { changed, held } = replaceRegions(fresh, { force: wasWaiting && !state.waiting });
        if (!held) mark = state.mark;
        if (changed && wasWaiting && news) {
          news.textContent = `${root.dataset.changed} ${status?.textContent.trim() ?? ""}`;
          news.classList.remove("visually-hidden");
          news.classList.add("agentui-note");
        }
        wasWaiting = state.waiting;
      }
      return state.busy ? BUSY : CALM;
    },
  );
  poll.start(root.dataset.busy === "1" ? BUSY : CALM);
}

// --- the list ------------------------------------------------------------------------------------

function rowOf(id) {
  const box = document.querySelector(`#result_list input.action-select[value="${CSS.escape(id)}"]`);
  return box?.closest("tr");
}

function closeRow(row, words) {
  if (row.classList.contains("agentui-closed")) return;
  row.classList.add("agentui-closed");
  const box = row.querySelector("input.action-select");
  if (box.checked) box.click();
  box.disabled = true;
  const note = document.createElement("span");
  note.className = "agentui-closed-note";
  note.textContent = words;
  row.querySelector("th, .field-request_shown")?.append(note);
}

function followList(root) {
  const ids = [...document.querySelectorAll("#result_list input.action-select")].map(
    (box) => box.value,
  );
  const url = () =>
    `${root.dataset.agentuiList}?${new URLSearchParams({ ids: ids.join(","), since: root.dataset.since })}`;
  const showsWaiting = !new URLSearchParams(location.search).has("status");
  const poll = new Poll(url, (state) => {
    if (showsWaiting) {
      for (const [id, words] of Object.entries(state.closed)) {
        const row = rowOf(id);
        if (row) closeRow(row, words);
      }
    }
    if (state.new > 0 && root.dataset.shown !== String(state.new)) {
      root.dataset.shown = String(state.new);
      const text =
        state.new === 1
          ? root.dataset.newOne
          : root.dataset.newMany.replace("{n}", state.new > 99 ? "99+" : String(state.new));
      const link = document.createElement("a");
      link.href = location.href;
      link.textContent = root.dataset.show;
      root.replaceChildren(`${text} `, link);
    }
    return CALM;
  });
  poll.start(CALM);
}

// --- keys ----------------------------------------------------------------------------------------

const isTyping = (target) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"));

/** Opens the form of a verdict and puts the cursor where it goes on. */
function openChoice(key) {
  const details = document.querySelector(`details[data-agentui-key="${key}"]`);
  if (!details) return false;
  for (let outer = details; outer; outer = outer.parentElement?.closest("details")) {
    outer.open = true;
  }
  const field = details.querySelector(
    ".agentui-field :is(input, textarea, select), textarea, button",
  );
  (field ?? details.querySelector("summary")).focus();
  return true;
}

function moveRow(step) {
  const links = [...document.querySelectorAll("#result_list .field-request_shown a")];
  if (links.length === 0) return false;
  const at = links.findIndex((link) => link.closest("tr").contains(document.activeElement));
  const next = at === -1 ? (step > 0 ? 0 : links.length - 1) : at + step;
  links[Math.min(Math.max(next, 0), links.length - 1)].focus();
  return true;
}

function press(key, back) {
  switch (key) {
    case "a":
    case "d":
    case "e":
      return openChoice(key);
    case "n": {
      const link = document.querySelector('a[data-agentui-key="n"]');
      link?.click();
      return Boolean(link);
    }
    case "u":
      if (!document.querySelector("[data-agentui-live]")) return false;
      location.assign(back);
      return true;
    case "j":
      return moveRow(1);
    case "k":
      return moveRow(-1);
    case "x": {
      const box = document.activeElement?.closest?.("tr")?.querySelector("input.action-select");
      box?.click();
      return Boolean(box);
    }
    case "/": {
      const search = document.getElementById("searchbar");
      search?.focus();
      return Boolean(search);
    }
    case "?": {
      const help = document.getElementById("inbox-keys");
      help.open = !help.open;
      if (help.open) help.querySelector("summary").focus();
      return true;
    }
  }
  return false;
}

function listenForKeys(help) {
  const box = document.getElementById("inbox-keys-on");
  box.checked = localStorage.getItem(KEYS_OFF) === null;
  box.addEventListener("change", () => {
    if (box.checked) localStorage.removeItem(KEYS_OFF);
    else localStorage.setItem(KEYS_OFF, "1");
  });
  document.addEventListener("keydown", (event) => {
    if (!box.checked || event.defaultPrevented || event.repeat) return;
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (press(event.key, help.dataset.agentuiBack)) event.preventDefault();
  });
}

const page = document.querySelector("[data-agentui-live]");
if (page) followPage(page);
const list = document.querySelector("[data-agentui-list]");
if (list) followList(list);
const help = document.getElementById("inbox-keys");
if (help) listenForKeys(help);

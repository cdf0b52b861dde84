// Small comforts. Every page does its work without this file.

document.documentElement.classList.add("js");

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  if (!button.dataset.copied) return;
  button.dataset.copies ??= button.textContent;
  button.textContent = button.dataset.copied;
  say(button.dataset.copied);
  setTimeout(() => { button.textContent = button.dataset.copies; }, 3000);
});

// The tab that is open is in view where tabs scroll.
document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

// On a phone a crosstable opens at the round that is looked for, right of the names.
const round = document.querySelector("[data-begins]");
if (round && matchMedia("(width < 48rem)").matches) {
  const name = round.parentElement.querySelector(".name");
  round.closest(".scroll").scrollLeft = round.offsetLeft - name.offsetLeft - name.offsetWidth;
}

document.addEventListener("change", ({ target }) => {
  if (!target.matches("[data-shows-passwords]")) return;
  const fields = target.form.querySelectorAll('[autocomplete$="password"]');
  for (const field of fields) field.type = target.checked ? "text" : "password";
});

// Screen readers read a change only in a place that was there before it.
const spoken = document.createElement("p");
spoken.className = "hidden";
spoken.setAttribute("role", "status");
document.body.append(spoken);

function say(text) {
  spoken.textContent = "";
  setTimeout(() => { spoken.textContent = text; });
}

// What a form brought about is told at the head of the next page, which is there before it could be read out.
const wordsOf = (element) => element.textContent.replace(/\s+/g, " ").trim();
const messages = document.querySelector(".messages");
// Later than the page itself, which is read out first.
if (messages) setTimeout(() => say(wordsOf(messages)), 500);

// A block that is swapped keeps the focus, and what changed in its state is read out.
const blocks = {};
const CONTROLS = "a, button, summary";
const stateOf = (block) => [...block.querySelectorAll("[data-state]")].map(wordsOf).join(". ");
const nameOf = (control) => [control.tagName, control.name, control.value, control.getAttribute("href")].join("|");

document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
  const active = document.activeElement;
  const control = target.contains(active) && active.matches(CONTROLS) ? nameOf(active) : "";
  blocks[target.id] = { state: stateOf(target), control };
});

document.addEventListener("htmx:afterSwap", ({ target }) => {
  const before = blocks[target.id];
  if (!before) return;
  delete blocks[target.id];
  const state = stateOf(target);
  if (state && state !== before.state) say(state);
  if (!before.control) return;
  const same = [...target.querySelectorAll(CONTROLS)].find((one) => nameOf(one) === before.control);
  if (!same) target.setAttribute("tabindex", "-1");
  (same ?? target).focus({ preventScroll: true });
});

// What is typed in stays as it is.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  if (event.target.matches("input:focus")) event.preventDefault();
});

// Where the session has ended, the whole form goes to the sign-in page, which keeps it.
document.addEventListener("htmx:responseError", ({ target }) => {
  if (target.matches("button")) target.form.requestSubmit(target);
});

// An error that is corrected while one types takes its mark off the field.
document.addEventListener("htmx:oobAfterSwap", ({ target }) => {
  if (!target.matches(".errorlist")) return;
  const field = document.querySelector(`:is(input, textarea)[aria-describedby~="${target.id}"]`);
  field?.setAttribute("aria-invalid", target.children.length > 0);
  const days = target.dataset.days?.split(" ") ?? [];
  for (const day of target.parentElement.querySelectorAll(".schedule [type=date]")) {
    day.setAttribute("aria-invalid", days.includes(day.value));
  }
});

// What was missing is said no longer once it is there, where the portal does not check while one types.
document.addEventListener("input", ({ target }) => {
  const errors = target.closest(".field")?.querySelector(".errorlist");
  const was = target.type === "radio" ? "" : target.defaultValue;
  if (!errors || was || !target.validity.valid || target.closest("[data-hx-post]")) return;
  errors.replaceChildren();
  target.removeAttribute("aria-invalid");
});

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu !== except) menu.open = false;
  }
}

// What is pressed in a sheet from below leaves it open.
document.addEventListener("click", ({ target }) =>
  closeMenus(target.closest("details.menu") ?? target.closest(".act")?.parentElement.querySelector(".unfold")));

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = event.target.closest("details.menu[open]")
    ?? event.target.closest(".list-filters")?.querySelector(":scope > .more[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// A form is sent once: the second click of a double click finds its button asleep.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method === "get" || event.defaultPrevented) return;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "true";
  setTimeout(() => delete form.dataset.sent, 5000);
});

addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

// What was changed and is not saved yet is not left without a question.
addEventListener("beforeunload", (event) => {
  const form = document.querySelector("[data-unsaved]")?.closest("form");
  if (form && !form.dataset.sent) event.preventDefault();
});

// What is printed says where it is from and when.
addEventListener("beforeprint", () => {
  const { lang, style } = document.documentElement;
  const day = new Date().toLocaleDateString(lang, { dateStyle: "medium" });
  style.setProperty("--printed", JSON.stringify(`${location.href} · ${day}`));
});

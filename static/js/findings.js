// A finding that is selected comes into view with its line beside it.

function showFinding(finding, line) {
  document.querySelectorAll(".is-current").forEach((element) => element.classList.remove("is-current"));
  finding.classList.add("is-current");
  finding.focus({ preventScroll: true });
  finding.scrollIntoView({ block: "nearest" });
  if (!line) return;
  line.classList.add("is-current");
  centre(line, line.closest(".report"));
}

// Only the report scrolls, so that the finding stays where the reader's eyes are.
function centre(line, report) {
  report.scrollTop = line.offsetTop - report.clientHeight / 2;
  showMark(line, report);
}

// The marked column of a line comes beside the name, which stays, after what is left out or the whole round before it:
// nothing between is cut.
const BEFORE = [17.5, 7.5];

function showMark(line, report) {
  const mark = line.querySelector("code:not(.head) mark");
  if (!mark) return;
  const start = (line.querySelector(".head") ?? line.querySelector(".number")).getBoundingClientRect().right;
  const room = report.getBoundingClientRect().left + report.clientLeft + report.clientWidth - start;
  const { left, width } = mark.getBoundingClientRect();
  const distances = BEFORE.map((letters) => (letters * width) / mark.textContent.length);
  const near = [...line.querySelectorAll("code:not(.head) > .left-out")]
    .map((one) => left - one.getBoundingClientRect().left)
    .filter((distance) => distance > 0 && distance < distances[0]);
  const before = [...near.reverse(), ...distances].find((distance) => distance < room - width) ?? 0;
  report.scrollLeft += left - start - before;
}

const firstLine = document.querySelector(".report li:is(.error, .warning)");
if (firstLine && !location.hash) centre(firstLine, firstLine.closest(".report"));

document.addEventListener("click", (event) => {
  const link = event.target.closest(".report a.number, .finding .place");
  const finding = link && (link.closest(".finding") ?? document.querySelector(`.finding${link.hash}`));
  if (!finding) return;
  const line = link.closest(".report li") ?? document.querySelector(link.hash);
  // Where the file is beside its findings, the page stays.
  if (line && matchMedia("(width >= 64rem)").matches) event.preventDefault();
  showFinding(finding, line);
});

// The name beside an opponent's number is that of the number that is typed.
document.addEventListener("input", ({ target }) => {
  const name = target.closest("td")?.querySelector("[data-unknown]");
  if (!name) return;
  const number = target.value.trim().replace(/^0+/, "");
  const names = JSON.parse(document.getElementById("opponents").textContent);
  name.textContent = number && (names[number] ?? name.dataset.unknown);
});

// A choice is sent as a form and comes back as the same page: what was chosen stays under the pointer.
const STAYS = "stays";

document.addEventListener("submit", ({ submitter, target }) => {
  if (new URL(target.action).hash) return;
  const own = submitter?.closest("[data-findings] [id]");
  const place = own ?? submitter?.closest("[data-findings] section")?.querySelector("[id]");
  const { top } = place?.getBoundingClientRect() ?? {};
  // A place that was out of sight, above the button of a long form, comes into view as the address says.
  if (!place || top < 0) return;
  sessionStorage.setItem(STAYS, JSON.stringify({ path: location.pathname, id: place.id, top, at: Date.now() }));
});

addEventListener("load", () => {
  const { path, id, top, at } = JSON.parse(sessionStorage.getItem(STAYS) ?? "{}");
  sessionStorage.removeItem(STAYS);
  const place = path === location.pathname && Date.now() - at < 30000 && document.getElementById(id);
  // The field that is to be filled in has come into view.
  if (!place || document.querySelector(".line-fields [autofocus]")) return;
  requestAnimationFrame(() => scrollBy({ top: place.getBoundingClientRect().top - top, behavior: "instant" }));
});

// Reasons of warnings are counted while one types; a phrase fills the field of its warning.
const reasonFields = () => [...document.querySelectorAll("[data-reason]")];

function countReasons() {
  if (!document.querySelector("[data-accept]")) return;
  const all = document.querySelector("[data-reason-for-all]")?.value.trim();
  const missing = all ? [] : reasonFields().filter((field) => !field.value.trim());
  for (const field of reasonFields()) {
    const asked = field.closest(".reason-of");
    // What the panel says of the warning agrees with its head.
    const row = document.querySelector(`.checks [href$="#${asked?.id}"]`)?.closest("li");
    const asks = missing.includes(field);
    for (const part of row?.querySelectorAll("[data-asks]") ?? []) part.hidden = !asks;
    for (const part of row?.querySelectorAll("[data-given]") ?? []) part.hidden = asks;
    if (row) row.className = `note-${asks ? row.dataset.of : "success"}`;
    // A refusal holds until something is typed.
    if (asks) continue;
    field.removeAttribute("aria-invalid");
    asked?.querySelector(".errorlist")?.remove();
  }
  if (!missing.length) document.querySelector(`.note-error:has([href="#${reasonFields()[0]?.id}"])`)?.remove();
  for (const element of document.querySelectorAll("[data-missing]")) element.hidden = !missing.length;
  for (const element of document.querySelectorAll("[data-ready]")) element.hidden = missing.length > 0;
  document.querySelector("[data-accept]")?.classList.toggle("primary", !missing.length);
  const first = missing[0]?.closest(".reason-of");
  const texts = document.getElementById("missing-texts");
  if (!missing.length || !texts) return;
  document.querySelector("[data-missing-text]").textContent = JSON.parse(texts.textContent)[missing.length - 1];
  if (first) document.querySelector("a[data-missing]").hash = first.id;
}

// What is typed is saved as any button of the form saves it, so that a reload loses nothing.
let saving;

function saveSoon(form) {
  clearTimeout(saving);
  saving = setTimeout(() => fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" }), 600);
}

document.addEventListener("input", ({ target }) => {
  if (!target.matches("[data-reason], [data-reason-for-all], [data-kept]")) return;
  countReasons();
  saveSoon(target.form);
});

document.addEventListener("submit", () => clearTimeout(saving));

document.addEventListener("click", (event) => {
  const phrase = event.target.closest("[data-phrase]");
  if (!phrase) return;
  event.preventDefault();
  const field = phrase.closest(".reason-of").querySelector("[data-reason]");
  field.value = phrase.dataset.phrase;
  field.focus();
  countReasons();
  saveSoon(field.form);
});

// Suggestions while one types: a combobox by the ARIA pattern. The form works without this file.

const WAIT = 150;
const LEAST = 2;

for (const form of document.querySelectorAll("form[data-suggest]")) {
  combobox(form, form.querySelector("input[name=q]"), form.dataset);
}
// Fields that take a player or a town: what is chosen fills the field, and does not leave the page. A hidden field takes
// its key, where names are not enough.
for (const field of document.querySelectorAll("input[data-suggest]")) {
  combobox(field.closest(".suggests"), field, field.dataset, true);
}

function combobox(holder, field, { suggest, label }, fills = false) {
  const list = document.createElement("div");
  list.id = `${field.id}-suggestions`;
  list.className = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", label);
  list.hidden = true;
  holder.append(list);
  for (const [name, value] of Object.entries({
    role: "combobox", "aria-expanded": "false", "aria-controls": list.id, "aria-autocomplete": "list",
  })) field.setAttribute(name, value);

  let timer;
  let asked = 0;
  let chosen = -1;
  const options = () => [...list.querySelectorAll("[role=option]")];

  function close() {
    // No answer opens it again that comes after.
    clearTimeout(timer);
    asked += 1;
    list.hidden = true;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
    chosen = -1;
  }

  function choose(place) {
    const all = options();
    chosen = all.length ? (place + all.length) % all.length : -1;
    all.forEach((option, number) => option.setAttribute("aria-selected", String(number === chosen)));
    if (chosen < 0) return;
    field.setAttribute("aria-activedescendant", all[chosen].id);
    all[chosen].scrollIntoView({ block: "nearest" });
  }

  async function ask() {
    const words = field.value.trim();
    if (words.length < LEAST) return close();
    const number = ++asked;
    const address = new URL(suggest, location.href);
    address.searchParams.set("q", words);
    const answer = await fetch(address).then((one) => (one.ok ? one.text() : null)).catch(() => null);
    if (answer === null || number !== asked) return;
    const found = new DOMParser().parseFromString(answer, "text/html");
    const count = found.querySelector("[data-count]");
    count?.remove();
    list.replaceChildren(...found.body.childNodes);
    if (fills) list.querySelectorAll("[role=option]:not([data-fill])").forEach((option) => option.remove());
    list.querySelectorAll("[role=group]:not(:has([role=option]))").forEach((group) => group.remove());
    options().forEach((option, place) => { option.id = `${list.id}-${place}`; });
    list.hidden = !list.textContent.trim();
    field.setAttribute("aria-expanded", String(!list.hidden));
    field.removeAttribute("aria-activedescendant");
    chosen = -1;
    if (count ?? list.querySelector("p")) say((count ?? list).textContent.trim());
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    } else if (["ArrowDown", "ArrowUp"].includes(event.key) && !list.hidden) {
      event.preventDefault();
      const down = event.key === "ArrowDown";
      choose(chosen < 0 ? (down ? 0 : -1) : chosen + (down ? 1 : -1));
    } else if (event.key === "Enter" && chosen >= 0) {
      event.preventDefault();
      options()[chosen].click();
    }
  });
  if (fills) {
    list.addEventListener("click", (event) => {
      const option = event.target.closest("[data-fill]");
      if (!option) return;
      event.preventDefault();
      field.value = option.dataset.fill;
      const key = document.getElementById(field.dataset.key);
      if (key) key.value = option.dataset.key ?? "";
      field.focus();
      close();
    });
  }
  holder.addEventListener("focusout", (event) => {
    if (event.relatedTarget !== field && !list.contains(event.relatedTarget)) close();
  });
}

// The key of the search, outside fields only.
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) return;
  const field = document.querySelector("form[data-suggest] input[name=q]");
  if (!field) return;
  event.preventDefault();
  field.focus();
});

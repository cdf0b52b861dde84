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

// Screen readers read a change only in a place that was there before it.
const spoken = document.createElement("p");
spoken.className = "hidden";
spoken.setAttribute("role", "status");
document.body.append(spoken);

function say(text) {
  spoken.textContent = "";
  setTimeout(() => { spoken.textContent = text; });
}

// Keys without Ctrl or Alt get in the way of speech input: a reader may turn them off on this device.
function areSingleKeysOn() {
  try {
    return localStorage.getItem("single-keys") !== "off";
  } catch {
    return true;
  }
}

for (const button of document.querySelectorAll("[data-single-keys]")) {
  const name = () => { button.textContent = areSingleKeysOn() ? button.dataset.off : button.dataset.on; };
  button.addEventListener("click", () => {
    try {
      localStorage.setItem("single-keys", areSingleKeysOn() ? "off" : "on");
    } catch { return; }
    name();
  });
  name();
  button.parentElement.hidden = false;
}

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu !== except) menu.open = false;
  }
}

document.addEventListener("click", (event) => closeMenus(event.target.closest("details.menu")));

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

// The sheet that follows a page: it keeps its place, and the answer appears in it. Without this file both are pages.

const menu = document.querySelector(".follow-menu");
const box = menu.querySelector(".follow-box");
const summary = menu.querySelector("summary");
const narrow = matchMedia("(width < 64rem)");

function close() {
  menu.open = false;
  summary.focus({ preventScroll: true });
}

menu.addEventListener("toggle", () => {
  if (menu.open) {
    (box.querySelector("#follow-email") ?? box.querySelector("h2")).focus({ preventScroll: true });
    // Back closes a sheet that covers the page.
    if (narrow.matches) history.pushState({ sheet: true }, "");
  } else if (history.state?.sheet) history.back();
});

addEventListener("popstate", () => { menu.open = false; });

menu.addEventListener("click", (event) => {
  const isGround = event.target === menu;
  if (!isGround && !event.target.closest("[data-closes]")) return;
  event.preventDefault();
  close();
});

box.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const answer = await fetch(form.action, { method: "POST", body: new FormData(form) }).catch(() => null);
  const page = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
  const part = page?.querySelector("[data-follow]");
  if (!part) {
    // The page of its own says what is wrong.
    form.submit();
    return;
  }
  box.replaceChildren(...part.children);
  const heading = box.querySelector("h2");
  heading.id = "follow-name";
  box.querySelector("[aria-invalid]")?.focus() ?? heading.focus();
});

// A form with a file: it may be dropped, and a large one shows how far it is. Without this file the form is sent plainly.

const LEAST_SHOWN = 100;

for (const form of document.querySelectorAll("form[data-upload]")) enhance(form);

function enhance(form) {
  const field = form.querySelector("input[type=file]");
  form.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    form.classList.add("is-dropping");
  });
  form.addEventListener("dragleave", (event) => {
    if (!form.contains(event.relatedTarget)) form.classList.remove("is-dropping");
  });
  form.addEventListener("drop", (event) => {
    form.classList.remove("is-dropping");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    const target = event.target.closest(".field")?.querySelector("input[type=file]") ?? field;
    target.files = event.dataTransfer.files;
    target.dispatchEvent(new Event("change", { bubbles: true }));
  });
  form.addEventListener("submit", (event) => {
    const size = [...form.querySelectorAll("input[type=file]")].reduce((sum, one) => sum + (one.files[0]?.size ?? 0), 0);
    // What is there at once needs no bar.
    if (event.defaultPrevented || size < LEAST_SHOWN * 1024) return;
    event.preventDefault();
    if (form.dataset.sent) return;
    form.dataset.sent = "true";
    send(form, event.submitter);
  });
}

function send(form, submitter) {
  const progress = form.querySelector("progress");
  const told = form.querySelector("[data-told]");
  const request = new XMLHttpRequest();
  request.open("POST", submitter?.formAction || form.action);
  request.setRequestHeader("X-Requested-With", "XMLHttpRequest");
  progress.hidden = false;
  told.textContent = told.dataset.sending;
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) progress.value = event.loaded / event.total;
  });
  request.upload.addEventListener("load", () => {
    progress.removeAttribute("value");
    told.textContent = told.dataset.checking;
  });
  request.addEventListener("load", () => arrive(request));
  request.addEventListener("error", () => {
    progress.hidden = true;
    told.textContent = told.dataset.failed;
    delete form.dataset.sent;
  });
  request.send(new FormData(form, submitter));
}

// An accepted file leads to its page; otherwise the form comes back with what is wrong.
function arrive(request) {
  const place = request.getResponseHeader("X-Location");
  if (place) {
    location.assign(place);
    return;
  }
  const page = new DOMParser().parseFromString(request.responseText, "text/html");
  document.querySelector("main").replaceWith(page.querySelector("main"));
  document.querySelectorAll("form[data-upload]").forEach(enhance);
  document.querySelector("main").focus();
}

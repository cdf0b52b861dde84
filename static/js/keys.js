// A passkey or security key that was not used: the page says why beside the button, where the browser says nothing.

let asked = null;
let told = null;

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  told?.remove();
  asked = button.closest(".actions");
}, true);

document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  const named = document.querySelector(`template[data-unused~="${event.detail.exception?.name}"]`);
  const note = (named ?? document.querySelector('template[data-unused=""]')).content.firstElementChild;
  told = note.cloneNode(true);
  asked?.after(told);
});

// Keys n and p go to the next and the previous finding; its line comes into view beside it.

// Asked for each time: a report that was sent by drop comes into the page later.
const findingsNow = () => [...document.querySelectorAll("[data-findings] .finding")];
let place = findingsNow().findIndex((finding) => `#${finding.id}` === location.hash);

function showFinding(next) {
  const findings = findingsNow();
  if (next < 0 || next >= findings.length) return;
  document.querySelectorAll(".is-current").forEach((element) => element.classList.remove("is-current"));
  place = next;
  const finding = findings[place];
  finding.classList.add("is-current");
  finding.focus({ preventScroll: true });
  finding.scrollIntoView({ block: "nearest" });
  const line = finding.dataset.line && document.getElementById(finding.dataset.line);
  if (!line) return;
  line.classList.add("is-current");
  centre(line, line.closest(".report"));
}

// Only the report scrolls, so that the finding stays where the reader's eyes are.
function centre(line, report) {
  report.scrollTop = line.offsetTop - report.clientHeight / 2;
  const mark = line.querySelector("mark");
  if (mark) report.scrollLeft = Math.max(0, mark.offsetLeft - report.clientWidth / 2);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea")) return;
  if (event.key === "n") showFinding(place + 1);
  if (event.key === "p") showFinding(place - 1);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest(".report a.number, .finding .place");
  if (!link) return;
  const findings = findingsNow();
  const own = link.closest(".finding");
  const wanted = own ? findings.indexOf(own) : findings.findIndex((finding) => `#${finding.id}` === link.hash);
  if (wanted >= 0) showFinding(wanted);
});

// Values of a rating chart by pointer, touch and keyboard. Without this file the table below the chart has them.

const GAP = 12;

for (const svg of document.querySelectorAll(".chart > svg.history")) reader(svg);

function reader(svg) {
  const columns = [...svg.querySelectorAll(".chart-column")];
  const labels = [...svg.querySelectorAll(".chart-line")].map((line) => ({
    text: line.dataset.label, kind: [...line.classList].find((name) => name.startsWith("kind-")),
  }));
  if (!columns.length) return;

  const plot = document.createElement("div");
  plot.className = "chart-reader";
  const box = document.createElement("div");
  box.className = "chart-values";
  box.setAttribute("aria-hidden", "true");
  box.hidden = true;
  for (const [name, value] of Object.entries({
    role: "slider", tabindex: "0", "aria-label": svg.querySelector("title").textContent,
    "aria-valuemin": "1", "aria-valuemax": String(columns.length),
  })) plot.setAttribute(name, value);
  svg.after(plot, box);

  let chosen = columns.length - 1;
  const rows = (column) => column.dataset.values.split(",").flatMap((text, place) => {
    if (!text) return [];
    const [rating, change, y] = text.split(" ");
    return [{ ...labels[place], rating, change, y }];
  });

  function name() {
    const column = columns[chosen];
    const values = rows(column).map((row) => `${row.text} ${row.rating} ${row.change}`.trim());
    plot.setAttribute("aria-valuenow", String(chosen + 1));
    plot.setAttribute("aria-valuetext", [column.dataset.month, ...values].join(", "));
  }

  function show(place) {
    chosen = Math.max(0, Math.min(columns.length - 1, place));
    name();
    const column = columns[chosen];
    columns.forEach((other) => other.classList.toggle("is-chosen", other === column));
    const head = document.createElement("b");
    head.textContent = column.dataset.month;
    box.replaceChildren(head, ...rows(column).map(line));
    box.hidden = false;
    const middle = column.x.baseVal.value + column.width.baseVal.value / 2;
    const last = svg.parentElement.clientWidth - plot.offsetLeft - box.offsetWidth;
    const left = Math.max(0, Math.min(last, middle - box.offsetWidth / 2));
    box.style.left = `${plot.offsetLeft + left}px`;
    box.style.top = `${clearOf(linesBetween(left, left + box.offsetWidth))}px`;
  }

  // The heights of the lines in the columns that the box is over.
  function linesBetween(left, right) {
    const over = columns.filter((column) => {
      const x = column.x.baseVal.value;
      return x < right && x + column.width.baseVal.value > left;
    });
    return over.flatMap((column) => rows(column).map((row) => Number(row.y)));
  }

  // Above or below the lines, wherever more room is left; the plot may be left at both ends.
  function clearOf(heights) {
    const highest = Math.min(...heights) - GAP - box.offsetHeight;
    const lowest = Math.max(...heights) + GAP;
    const foot = plot.offsetHeight - box.offsetHeight;
    if (highest >= -GAP) return plot.offsetTop + Math.max(highest, -GAP);
    if (lowest <= foot) return plot.offsetTop + lowest;
    return plot.offsetTop + (Math.min(...heights) > plot.offsetHeight - Math.max(...heights) ? -GAP : foot);
  }

  function hide() {
    box.hidden = true;
    columns[chosen].classList.remove("is-chosen");
  }

  const nearest = (event) => {
    const { left, width } = svg.getBoundingClientRect();
    const part = (event.clientX - left) / width;
    const ends = columns.map((column) => (column.x.baseVal.value + column.width.baseVal.value) / width);
    const found = ends.findIndex((end) => part < end);
    return found < 0 ? columns.length - 1 : found;
  };
  plot.addEventListener("pointermove", (event) => show(nearest(event)));
  plot.addEventListener("pointerdown", (event) => show(nearest(event)));
  plot.addEventListener("pointerleave", () => { if (document.activeElement !== plot) hide(); });
  plot.addEventListener("focus", () => show(chosen));
  plot.addEventListener("blur", hide);
  plot.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: chosen - 1, ArrowRight: chosen + 1, Home: 0, End: columns.length - 1 };
    if (event.key in steps) {
      event.preventDefault();
      show(steps[event.key]);
    } else if (event.key === "Escape") {
      hide();
    } else if (event.key === "Enter" && columns[chosen].dataset.address) {
      location.assign(columns[chosen].dataset.address);
    }
  });
  name();
}

function line({ text, kind, rating, change }) {
  const row = document.createElement("span");
  row.className = kind;
  for (const [tag, words] of [["span", text], ["b", rating], ["span", change]]) {
    const part = document.createElement(tag);
    part.textContent = words;
    row.append(part);
  }
  return row;
}

// Sorts the rows of every group of a table by the column whose heading is pressed; pressed again, the other way round.
for (const table of document.querySelectorAll(".sheet table")) {
  const headings = [...table.querySelectorAll("thead th")];
  headings.forEach((heading, column) => {
    heading.querySelector("button")?.addEventListener("click", () => {
      const down = heading.getAttribute("aria-sort") === "ascending";
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => row.cells[column].dataset.sort;
      const compare = (x, y) => (key(x) - key(y) || key(x).localeCompare(key(y))) * (down ? -1 : 1);
      for (const body of table.tBodies) {
        const rows = [...body.rows].filter((row) => !row.classList.contains("group"));
        rows.sort(compare).forEach((row) => body.append(row));
      }
    });
  });
}

// A table that is wider than its place beside the text takes the width of the page; a folded one, once it is open.
const widen = (place) => {
  for (const sheet of place.querySelectorAll(".sheet")) {
    if (sheet.scrollWidth > sheet.clientWidth) sheet.closest(".part").classList.add("wide");
  }
};
widen(document);
for (const fold of document.querySelectorAll(".fold")) fold.addEventListener("toggle", () => widen(fold));

// A series of a legend is a switch: its marks in the figures of the section fade.
const legends = [...document.querySelectorAll(".legend")].map((legend) => [...legend.children]);
const fade = (entry, off) => {
  const colour = entry.style.getPropertyValue("--of").slice(4, -1);
  entry.classList.toggle("off", off);
  entry.setAttribute("aria-checked", String(!off));
  const marks = entry.closest(".part").querySelectorAll(`figure [style*="var(${colour},"]`);
  for (const mark of marks) mark.classList.toggle("off", off);
};
for (const entry of legends.flat()) {
  const action = () => fade(entry, !entry.classList.contains("off"));
  entry.parentElement.setAttribute("role", "group");
  entry.parentElement.setAttribute("aria-label", "Series that are shown");
  entry.setAttribute("role", "switch");
  entry.setAttribute("aria-checked", "true");
  entry.tabIndex = 0;
  entry.addEventListener("click", action);
  entry.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    action();
  });
}

// A figure grows and shrinks by its button, or a click; its letters keep their size.
const resized = (drawing, texts) => {
  for (const [text] of texts) text.style.removeProperty("font-size");
  if (!drawing.closest(".large")) return;
  const scale = drawing.getBoundingClientRect().width / Number(drawing.dataset.width);
  for (const [text, size] of texts) text.style.fontSize = `${size / Math.max(scale, 1)}px`;
};
for (const figure of document.querySelectorAll("figure")) {
  const drawing = figure.querySelector("svg");
  if (!drawing) continue;
  const own = [...drawing.querySelectorAll("text, tspan")].filter((text) => text.style.fontSize || text.style.font);
  const texts = own.map((text) => [text, parseFloat(getComputedStyle(text).fontSize)]);
  const fonts = texts.map(([text]) => text.getAttribute("style"));
  const button = document.createElement("button");
  const grow = () => {
    if (!figure.classList.contains("large")) drawing.dataset.width = drawing.getBoundingClientRect().width;
    const large = figure.classList.toggle("large");
    texts.forEach(([text], index) => text.setAttribute("style", fonts[index]));
    if (large) resized(drawing, texts);
    button.setAttribute("aria-pressed", String(large));
    button.textContent = large ? "−" : "+";
  };
  button.type = "button";
  button.textContent = "+";
  button.setAttribute("aria-pressed", "false");
  button.setAttribute("aria-label", `Enlarge the figure ${figure.querySelector("figcaption").textContent.trim()}`);
  figure.querySelector("figcaption").append(button);
  figure.addEventListener("click", (event) => {
    if (event.target === button || !event.target.closest("a, button")) grow();
  });
}

// Filters of rows and figures, by what they say of themselves. Built here: a page without scripts shows everything.
{
  const said = (part) => JSON.parse(part.dataset.choices ?? "{}");
  const rows = [...document.querySelectorAll("tr[data-choices]")].map((row) => ({ row, says: said(row) }));
  const figures = [...document.querySelectorAll("figure")].map((row) => ({ row, says: said(row) }));
  for (const { row, says } of [...figures, ...rows]) {
    const own = row.dataset.series ?? row.closest("table")?.dataset.series;
    if (own && JSON.parse(own).length) says.series ??= JSON.parse(own);
  }
  const all = {};
  for (const { says } of rows) {
    for (const [name, values] of Object.entries(says)) {
      if (name === "series") continue;
      all[name] ??= new Map();
      for (const value of values) all[name].set(value, (all[name].get(value) ?? 0) + 1);
    }
  }
  // What every row says tells none apart.
  const values = Object.fromEntries(Object.entries(all).map(([name, counts]) =>
    [name, [...counts].filter(([, count]) => name !== "setting" || count < rows.length).map(([value]) => value)]));
  values.series = JSON.parse(document.body.dataset.series);
  const chosen = {};
  const hides = ({ says }) => Object.entries(chosen).some(([name, value]) =>
    value && says[name]?.some((one) => values[name].includes(one)) && !says[name].includes(value));
  const apply = () => {
    for (const one of [...rows, ...figures]) one.row.hidden = hides(one);
    for (const body of document.querySelectorAll("tbody")) {
      const seen = [...body.rows].filter((row) => !row.classList.contains("group") && !row.hidden);
      body.hidden = !seen.length;
      seen.forEach((row, place) => {
        const above = seen[place - 1]?.cells[0].dataset.text;
        const continues = row.cells[0].dataset.text && row.cells[0].dataset.text === above;
        for (const cell of row.querySelectorAll(".once")) cell.textContent = continues ? "" : cell.dataset.text;
      });
    }
    for (const sheet of document.querySelectorAll(".sheet")) {
      sheet.hidden = [...sheet.querySelectorAll("tbody")].every((body) => body.hidden);
    }
    for (const entries of legends) {
      const own = entries.some((entry) => entry.textContent.trim() === chosen.series);
      for (const entry of entries) fade(entry, own && entry.textContent.trim() !== chosen.series);
    }
  };
  const bar = document.createElement("div");
  bar.className = "filters";
  for (const name of ["operation", "size", "library", "processes", "start", "algorithm", "guideline", "setting", "series", "verdict"]) {
    if ((values[name]?.length ?? 0) < 2 || values[name].length > 100) continue;
    const word = name === "series" ? document.body.dataset.compared || "series" : name;
    const label = document.createElement("label");
    const select = document.createElement("select");
    select.append(new Option(`every ${word}`, ""), ...values[name].map((value) => new Option(value, value)));
    select.addEventListener("change", () => {
      chosen[name] = select.value;
      label.classList.toggle("chosen", select.value !== "");  // paper says what it shows
      apply();
    });
    select.setAttribute("aria-label", `Show one ${word}`);
    label.append(select);
    bar.append(label);
  }
  if (bar.children.length) document.querySelector("nav").prepend(bar);
}

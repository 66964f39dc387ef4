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

// A series of a legend is a switch: its marks in the figures of the section fade. A click enlarges a figure.
const legends = [...document.querySelectorAll(".legend")].map((legend) => [...legend.children]);
const fade = (entry, off) => {
  const colour = entry.style.getPropertyValue("--of").slice(4, -1);
  entry.classList.toggle("off", off);
  entry.setAttribute("aria-checked", String(!off));
  const marks = entry.closest(".part").querySelectorAll(`figure [style*="var(${colour},"]`);
  for (const mark of marks) mark.classList.toggle("off", off);
};
const pressed = (element, action) => {
  element.tabIndex = 0;
  element.addEventListener("click", action);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    action();
  });
};
for (const entry of legends.flat()) {
  entry.setAttribute("role", "switch");
  entry.setAttribute("aria-checked", "true");
  pressed(entry, () => fade(entry, !entry.classList.contains("off")));
}
for (const figure of document.querySelectorAll("figure")) pressed(figure, () => figure.classList.toggle("large"));

// Filters: an operation, a size, a series (a library). Built here, so that a page without scripts shows everything.
{
  const parts = [...document.querySelectorAll("[data-operation]")];
  const tables = [...document.querySelectorAll(".cases, .ranking")];
  // Rows of one size stand together, and only the first shows it: whichever is the first that is seen.
  const rows = [];
  for (const row of tables.flatMap((table) => [...table.querySelectorAll("tbody tr:not(.group)")])) {
    const shown = row.cells[0].textContent.trim();
    const first = shown || !rows.length ? row : rows.at(-1).first;
    const once = [...row.querySelectorAll(".once")].map((cell) => [cell, first.cells[cell.cellIndex].textContent]);
    rows.push({ row, first, once, size: shown || (rows.at(-1)?.size ?? ""), series: row.querySelector(".name")?.textContent.trim() });
  }
  const series = JSON.parse(document.body.dataset.series);
  const all = {
    operation: [...new Set(parts.filter((part) => part.tagName === "TBODY").map((part) => part.dataset.operation))],
    size: [...new Set(rows.map((one) => one.size))],
    series,
  };
  const chosen = { operation: "", size: "", series: "" };
  const differs = (name, value) => chosen[name] && all[name].includes(value) && value !== chosen[name];
  const without = (among) => among.length && chosen.series && !among.includes(chosen.series);
  const apply = () => {
    for (const part of parts) {
      const { operation, size, series: among } = part.dataset;
      part.hidden = differs("operation", operation) || differs("size", size) || without(among ? JSON.parse(among) : []);
    }
    const begun = new Set();
    for (const one of rows) {
      one.row.hidden = differs("size", one.size) || differs("series", one.series);
      if (one.row.hidden) continue;
      for (const [cell, text] of one.once) cell.textContent = begun.has(one.first) ? "" : text;
      begun.add(one.first);
    }
    for (const table of tables) {
      const sides = [...table.querySelectorAll("thead .of")].map((heading) => heading.textContent.trim());
      table.closest(".sheet").hidden = without(sides);
    }
  };
  const focus = () => {
    for (const entries of legends) {
      const own = entries.some((entry) => entry.textContent.trim() === chosen.series);
      for (const entry of entries) fade(entry, own && entry.textContent.trim() !== chosen.series);
    }
  };
  for (const [name, values] of Object.entries(all).reverse()) {
    if (values.length < 2) continue;
    const word = name === "series" ? document.body.dataset.compared : name;
    const label = document.createElement("label");
    const select = document.createElement("select");
    select.append(new Option(`every ${word}`, ""), ...values.map((value) => new Option(value, value)));
    select.addEventListener("change", () => {
      chosen[name] = select.value;
      label.classList.toggle("chosen", select.value !== "");  // paper says what it shows
      apply();
      if (name === "series") focus();
    });
    select.setAttribute("aria-label", `Show one ${word}`);
    label.append(select);
    document.querySelector("nav").prepend(label);
  }
}

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

// Filters: an operation, a size. Built here, so that a page without scripts, or on paper, shows everything.
{
  const parts = [...document.querySelectorAll("[data-operation]")];
  const rows = [...document.querySelectorAll(".cases tbody tr:not(.group)")];
  const size = (row) => row.cells[0].textContent.trim();
  const all = {
    operation: [...new Set(parts.filter((part) => part.closest(".cases")).map((part) => part.dataset.operation))],
    size: [...new Set(rows.map(size))],
  };
  const chosen = { operation: "", size: "" };
  const differs = (name, value) => chosen[name] && all[name].includes(value) && value !== chosen[name];
  const apply = () => {
    for (const part of parts) part.hidden = differs("operation", part.dataset.operation) || differs("size", part.dataset.size);
    for (const row of rows) row.hidden = differs("size", size(row));
  };
  for (const [name, values] of Object.entries(all).reverse()) {
    if (values.length < 2) continue;
    const label = document.createElement("label");
    const select = document.createElement("select");
    select.append(new Option(`every ${name}`, ""), ...values.map((value) => new Option(value, value)));
    select.addEventListener("change", () => { chosen[name] = select.value; apply(); });
    select.setAttribute("aria-label", `Show one ${name}`);
    label.append(select);
    document.querySelector("nav").prepend(label);
  }
}

// A series of a legend is a switch: its marks in the figures of the section fade. A figure grows when it is pressed.
const pressed = (element, action) => {
  element.tabIndex = 0;
  element.addEventListener("click", action);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    action();
  });
};
for (const entry of document.querySelectorAll(".legend li")) {
  const colour = entry.style.getPropertyValue("--of").slice(4, -1);
  entry.setAttribute("role", "switch");
  entry.setAttribute("aria-checked", "true");
  pressed(entry, () => {
    const off = entry.classList.toggle("off");
    entry.setAttribute("aria-checked", String(!off));
    const marks = entry.closest(".part").querySelectorAll(`figure [style*="var(${colour},"]`);
    for (const mark of marks) mark.classList.toggle("off", off);
  });
}
for (const figure of document.querySelectorAll("figure")) pressed(figure, () => figure.classList.toggle("large"));

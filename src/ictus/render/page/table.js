// Sorts the rows of every group of a comparison by the column whose heading is pressed; pressed again, the other way round.
for (const table of document.querySelectorAll("table.cases")) {
  table.querySelectorAll("th[data-sort]").forEach((heading) => {
    heading.querySelector("button").addEventListener("click", () => {
      const down = heading.getAttribute("aria-sort") === "ascending";
      table.querySelectorAll("th[data-sort]").forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => row.dataset[heading.dataset.sort];
      const compare = (x, y) => (key(x) - key(y) || key(x).localeCompare(key(y))) * (down ? -1 : 1);
      for (const body of table.tBodies) {
        const rows = [...body.rows].filter((row) => !row.classList.contains("group"));
        rows.sort(compare).forEach((row) => body.append(row));
      }
    });
  });
}

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

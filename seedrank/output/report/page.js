"use strict";
(() => {
  const bubble = document.getElementById("value");

  // Tables: a button in each heading sorts, a field above finds.
  const key = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.key === undefined ? cell.textContent.trim() : cell.dataset.key;
  };
  const compare = (a, b) => {
    if (a === b) return 0;
    if (a === "" || b === "") return a === "" ? 1 : -1;
    const x = Number(a), y = Number(b);
    if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
    return a.localeCompare(b, "en", { numeric: true });
  };
  for (const table of document.querySelectorAll("table[data-sortable]")) {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const sorted = rows.slice().sort((a, b) => {
          const x = key(a, column), y = key(b, column);
          // Empty cells stay last in either direction.
          return x === "" || y === "" ? compare(x, y) : (down ? -1 : 1) * compare(x, y);
        });
        body.append(...sorted);
      });
    });
    if (rows.length > 5) {
      const label = document.createElement("label");
      label.className = "find";
      const field = document.createElement("input");
      field.type = "search";
      const told = document.createElement("output");
      label.append("Find in this table ", field, told);
      table.closest(".scroll").before(label);
      field.addEventListener("input", () => {
        const wanted = field.value.trim().toLowerCase();
        let left = 0;
        for (const row of rows) {
          row.hidden = wanted !== "" && !row.textContent.toLowerCase().includes(wanted);
          left += row.hidden ? 0 : 1;
        }
        told.textContent = wanted === "" ? "" : `${left} of ${rows.length} rows`;
      });
    }
  }

  // Charts: values at the pointer or the arrow keys.
  const place = (x, y) => {
    const box = bubble.getBoundingClientRect();
    const left = Math.max(4, Math.min(x + 14, innerWidth - box.width - 8));
    const top = y + 18 + box.height > innerHeight ? y - box.height - 12 : y + 18;
    bubble.style.transform = `translate(${left}px, ${Math.max(4, top)}px)`;
  };
  for (const chart of document.querySelectorAll("svg.sr-chart")) {
    const points = [...chart.querySelectorAll(".point")];
    chart.querySelector(":scope > title")?.remove();
    for (const point of points) {
      const title = point.querySelector("title");
      point.dataset.value = title.textContent;
      title.remove();
    }
    let here = null;
    const hide = () => {
      here?.classList.remove("here");
      here = null;
      bubble.hidden = true;
    };
    const show = (point) => {
      if (point === here) return;
      here?.classList.remove("here");
      here = point;
      point.classList.add("here");
      bubble.textContent = point.dataset.value;
      bubble.hidden = false;
      const box = point.getBoundingClientRect();
      place(box.x + box.width / 2, box.y + box.height / 2);
    };
    if (points.length) {
      chart.setAttribute("tabindex", "0");
      chart.setAttribute("role", "group");
      chart.addEventListener("pointermove", (event) => {
        let best = null, least = 30 * 30;
        for (const point of points) {
          const box = point.getBoundingClientRect();
          const x = box.x + box.width / 2 - event.clientX, y = box.y + box.height / 2 - event.clientY;
          if (x * x + y * y < least) {
            least = x * x + y * y;
            best = point;
          }
        }
        if (best) show(best); else hide();
      });
      chart.addEventListener("pointerleave", hide);
      chart.addEventListener("blur", hide);
      chart.addEventListener("keydown", (event) => {
        if (event.target !== chart) return;
        if (event.key === "Escape") hide();
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        show(points[(points.indexOf(here) + step + points.length) % points.length]);
      });
    }
  }

  // On paper everything is open.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const part of closed) part.open = true;
  });
  addEventListener("afterprint", () => {
    for (const part of closed) part.open = false;
  });
})();

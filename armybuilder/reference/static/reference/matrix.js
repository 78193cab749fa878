// Colours each cell of the alliance grid by its level and counts the unknown ones while it is edited.
(() => {
  const cells = [...document.querySelectorAll(".matrix select")];
  const counter = document.getElementById("unknown-cells");
  const paint = (cell) => { cell.className = cell.selectedOptions[0].className; };
  const count = () => { counter.textContent = cells.filter((cell) => !cell.value).length; };
  cells.forEach((cell) => {
    paint(cell);
    cell.addEventListener("change", () => { paint(cell); count(); });
  });
})();

// Asks every second how far the reading of sent files is; without it the page simply waits for the answer.
(() => {
  const form = document.querySelector("form[data-progress]");
  const line = document.getElementById("import-progress");
  if (!form || !line) { return; }
  const ask = async () => {
    const answer = await fetch(form.dataset.progress, { credentials: "same-origin" });
    const said = answer.ok ? await answer.json() : {};
    if (!said.total) { return; }
    line.hidden = false;
    line.querySelector("progress").max = said.total;
    line.querySelector("progress").value = said.done;
    line.querySelector("span").textContent = `${said.done + 1} / ${said.total}: ${said.name}`;
  };
  form.addEventListener("submit", () => { setInterval(() => { ask().catch(() => {}); }, 1000); });
})();

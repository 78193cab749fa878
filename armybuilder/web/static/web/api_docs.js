/* What the libraries that draw the API's pages leave out for keyboards and screen readers. They draw in their own time, and
   draw again. */
(() => {
  "use strict";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const dress = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", dress);
  dress();
  /* The page to read takes its colours once, before it is drawn. */
  const page = document.querySelector("redoc");
  if (page && dark.matches) {
    const ink = "#e6e9e8", muted = "#a9b1b0", panel = "#1c201f", line = "#333a38", accent = "#6fc3d0";
    page.setAttribute("theme", JSON.stringify({
      colors: {
        primary: { main: accent }, success: { main: "#7ed491" }, warning: { main: "#e8b24a" }, error: { main: "#ff9a8d" },
        text: { primary: ink, secondary: muted }, border: { dark: line, light: line }, gray: { 50: panel, 100: line },
        responses: {
          success: { color: "#7ed491", backgroundColor: "#17301d", tabTextColor: "#7ed491" },
          error: { color: "#ff9a8d", backgroundColor: "#3a1a17", tabTextColor: "#ff9a8d" },
          redirect: { color: "#e8b24a", backgroundColor: "#33270f", tabTextColor: "#e8b24a" },
          info: { color: accent, backgroundColor: "#122e33", tabTextColor: accent },
        },
      },
      schema: { nestedBackground: panel, linesColor: muted, typeNameColor: muted, typeTitleColor: ink, requireLabelColor: "#ff9a8d", arrow: { color: muted } },
      sidebar: { backgroundColor: panel, textColor: ink, activeTextColor: accent, arrow: { color: muted } },
      rightPanel: { backgroundColor: "#0c0f0e", textColor: ink },
      codeBlock: { backgroundColor: panel },
      fab: { backgroundColor: panel, color: ink },
      typography: { code: { color: "#ffb3a8", backgroundColor: panel }, links: { color: accent, visited: accent, hover: ink } },
    }));
  }
  let isDue = false;
  const complete = () => {
    isDue = false;
    for (const choice of document.querySelectorAll("select:not([aria-label])")) {
      choice.setAttribute("aria-label", choice.id === "servers" ? "Server" : "Choice");
    }
    /* A link inside a button that does the same. */
    for (const link of document.querySelectorAll(".opblock-summary-control a[href]")) {
      link.removeAttribute("href");
    }
    /* What scrolls is reached by the keyboard. */
    for (const block of document.querySelectorAll("pre:not([tabindex])")) {
      if (block.scrollWidth > block.clientWidth || block.scrollHeight > block.clientHeight) {
        block.tabIndex = 0;
      }
    }
  };
  new MutationObserver(() => {
    if (!isDue) {
      isDue = true;
      requestAnimationFrame(complete);
    }
  }).observe(document.body, { childList: true, subtree: true });
})();

/* What the libraries that draw the API's pages leave out for keyboards and screen readers. They draw in their own time, and
   draw again. */
(() => {
  "use strict";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const dress = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", dress);
  dress();
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

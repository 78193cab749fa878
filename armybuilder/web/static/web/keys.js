/* Keys of a desktop builder: digits and + - on a count, Ctrl+Z and Ctrl+Shift+Z or Ctrl+Y, Ctrl+P for the sheet, / for search, arrows in a choice, Escape for menus. */
(function () {
  "use strict";
  function typing(element) {
    return element && (element.isContentEditable || /^(TEXTAREA|SELECT)$/.test(element.tagName) ||
      (element.tagName === "INPUT" && !/^(checkbox|radio|button|submit|number)$/.test(element.type)));
  }

  /* Keys */
  document.addEventListener("keydown", function (event) {
    var here = document.activeElement, stepper = here && here.closest && here.closest(".stepper");
    if (event.key === "Escape") { document.querySelectorAll("details.menu[open]").forEach(function (menu) { menu.open = false; }); return; }
    if (event.altKey) { return; }
    if (event.ctrlKey || event.metaKey) {
      var letter = event.key.toLowerCase(), sheet = document.querySelector("a[data-key='print']");
      if (letter === "p" && !event.shiftKey && sheet) { event.preventDefault(); location.assign(sheet.href + "#print"); return; }
      var way = letter === "y" || (letter === "z" && event.shiftKey) ? "redo" : letter === "z" ? "undo" : "";
      var button = way && !typing(here) && document.querySelector("[data-key='" + way + "']");
      if (button) { event.preventDefault(); button.click(); }
      return;
    }
    if (typing(here)) { return; }
    var group = here && here.closest && here.closest("[role='radiogroup']");
    if (group && /^Arrow(Up|Down|Left|Right)$/.test(event.key) && here.getAttribute("role") === "radio") {
      var radios = Array.from(group.querySelectorAll("[role='radio']:not([disabled])")), step = /Up|Left/.test(event.key) ? -1 : 1;
      event.preventDefault();
      radios[(radios.indexOf(here) + step + radios.length) % radios.length].focus();
      return;
    }
    if (event.key === "/") {
      var search = document.querySelector("[data-key='search']");
      if (search) { event.preventDefault(); search.focus(); search.select(); }
      return;
    }
    /* Counts: in a stepper, or the unit's first stepper (its models) while its row or nothing has the focus. */
    var isOnUnit = here === document.body || here.id === "detail" || here.matches(".unit--open .unit__open");
    var box = stepper || (isOnUnit ? document.querySelector("#detail:not(.hero) .stepper") : null);
    if (!box) { return; }
    if (event.key === "+" || event.key === "=" || event.key === "-") {
      var press = box.querySelector(event.key === "-" ? "[data-step='-1']" : "[data-step='1']");
      if (press && !press.disabled) { event.preventDefault(); press.click(); }
    } else if (/^[0-9]$/.test(event.key) && here.tagName !== "INPUT") {
      var field = box.querySelector("input[type='number']");
      if (field) { event.preventDefault(); field.focus(); field.value = event.key; }
    }
  });
})();

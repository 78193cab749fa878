/* Edits of a list or a hero: which button was pressed, one edit at a time, and what was typed meanwhile is kept. */
(function () {
  "use strict";
  var root = document.documentElement;

  /* The pressed button belongs to the form, wherever on the page it stands: htmx only sees those inside. */
  document.addEventListener("htmx:configRequest", function (event) {
    var cause = event.detail.triggeringEvent, button = cause && cause.submitter;
    if (button && button.name) { event.detail.parameters[button.name] = button.value; }
  });

  /* One edit at a time: a button pressed while another edit is on its way waits, and is then pressed on the fresh page. */
  var busy = false, waiting = [];
  function isEdit(element) { return element && element.closest("#detail, #edits, #army, #army-bar, #toasts") && !/^get$/i.test(element.getAttribute("method") || "get"); }
  document.addEventListener("click", function (event) {
    var button = event.target.closest("button[form='edits']");
    if (button && busy) {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (button.id && waiting.length < 20) { waiting.push(button.id); }
    }
  }, true);
  document.addEventListener("htmx:beforeRequest", function (event) {
    if (event.target.tagName === "FORM" && isEdit(event.target)) { busy = true; root.classList.add("is-busy"); }
  });
  function settled() {
    if (!busy) { return; }
    busy = false;
    root.classList.remove("is-busy");
    var next = document.getElementById(waiting.shift() || "");
    if (next && !next.disabled) { next.click(); } else if (waiting.length) { busy = true; settled(); }
  }
  document.addEventListener("htmx:afterSettle", function (event) { if (event.target.id === "detail") { settled(); } });
  ["htmx:sendError", "htmx:responseError", "htmx:timeout"].forEach(function (name) {
    document.addEventListener(name, function () { waiting = []; settled(); });
  });

  /* Facts save themselves one by one. What was typed into the next field while the answer was on its way is kept. */
  var typed = [];
  document.addEventListener("htmx:beforeSwap", function (event) {
    if (event.target.id !== "detail") { return; }
    var sent = (event.detail.requestConfig && event.detail.requestConfig.parameters) || {};
    typed = Array.from(document.querySelectorAll("#detail input[id][name^='fact.']")).filter(function (field) {
      return field.value !== field.defaultValue && field.value !== sent[field.name];
    }).map(function (field) { return { id: field.id, value: field.value }; });
  });
  document.addEventListener("htmx:afterSwap", function (event) {
    if (event.target.id === "detail") { kept().forEach(function (item) { item.field.value = item.value; }); }
  });
  document.addEventListener("htmx:afterSettle", function (event) {
    if (event.target.id !== "detail") { return; }
    var fields = kept().map(function (item) { return item.field; });
    typed = [];
    var left = fields.filter(function (field) { return field !== document.activeElement; });
    if (left.length) { changed(left[0]); } else { fields.forEach(saveWhenLeft); }
  });
  function kept() {
    return typed.map(function (item) { return { field: document.getElementById(item.id), value: item.value }; })
      .filter(function (item) { return item.field; });
  }
  function changed(field) { field.dispatchEvent(new Event("change", { bubbles: true })); }
  function saveWhenLeft(field) {
    var saved = false;
    field.addEventListener("change", function () { saved = true; });
    field.addEventListener("blur", function () { if (!saved) { changed(field); } }, { once: true });
  }
})();

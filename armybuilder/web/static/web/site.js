/* Makes the plain pages quicker to use; nothing on the site depends on it.
   Marks the page as scripted, tells of a lost connection, dismisses toasts, opens dialogs,
   and adds the keys of a desktop builder: digits and + - on a count, Ctrl+Z, / for search. */
(function () {
  "use strict";
  var root = document.documentElement;
  root.classList.add("js");

  function all(selector, inside) { return Array.prototype.slice.call((inside || document).querySelectorAll(selector)); }
  function typing(element) {
    return element && (element.isContentEditable || /^(TEXTAREA|SELECT)$/.test(element.tagName) ||
      (element.tagName === "INPUT" && !/^(checkbox|radio|button|submit|number)$/.test(element.type)));
  }

  /* Connection */
  function online() { root.classList.toggle("is-offline", navigator.onLine === false); }
  window.addEventListener("online", online);
  window.addEventListener("offline", online);
  online();

  /* Toasts: an answer puts them into #toasts; they leave by themselves unless the pointer or focus is on them. */
  function dismissLater(toast) {
    if (toast.dataset.leaving) { return; }
    toast.dataset.leaving = "1";
    setTimeout(function leave() {
      if (toast.matches(":hover, :focus-within")) { setTimeout(leave, 2000); } else { toast.remove(); }
    }, Number(toast.dataset.seconds || 8) * 1000);
  }
  function say(id) {
    var template = document.getElementById(id), place = document.getElementById("toasts");
    if (!template || !place) { return; }
    place.replaceChildren(template.content.cloneNode(true));
    all(".toast", place).forEach(dismissLater);
  }

  document.addEventListener("DOMContentLoaded", function () {
    all("#toasts .toast").forEach(dismissLater);
    all("[data-select-all]").forEach(selectAll);
  });

  function selectAll(field) { field.addEventListener("focus", function () { field.select(); }); }

  document.addEventListener("htmx:load", function (event) {
    all("#toasts .toast").forEach(dismissLater);
    all("[data-select-all]", event.target).forEach(selectAll);
  });
  document.addEventListener("htmx:sendError", function (event) { if (!asksAgain(event)) { say("say-unreachable"); } });
  document.addEventListener("htmx:responseError", function (event) { if (!asksAgain(event)) { say("say-failed"); } });

  /* A part that asks for itself again and again says that it does so while the server is away; its next answer is without it. */
  function asksAgain(event) {
    var notice = event.detail.elt && event.detail.elt.querySelector("[data-while-away]");
    if (!notice || (event.type === "htmx:responseError" && event.detail.xhr.status < 500)) { return false; }
    notice.hidden = false;
    return true;
  }

  /* Dialog: content asked for with hx-target="#dialog-body" opens it. */
  document.addEventListener("htmx:afterSwap", function (event) {
    var dialog = document.getElementById("dialog");
    if (event.target.id === "dialog-body" && dialog && dialog.showModal && !dialog.open) { dialog.showModal(); }
  });
  document.addEventListener("click", function (event) {
    var closer = event.target.closest("[data-close]");
    if (closer) {
      var dialog = closer.closest("dialog"), toast = closer.closest(".toast");
      if (dialog) { event.preventDefault(); dialog.close(); }
      if (toast) { toast.remove(); }
    }
    if (event.target.id === "dialog" && event.target.open) { event.target.close(); }
    var copier = event.target.closest("[data-copy]");
    if (copier && navigator.clipboard) {
      var source = document.getElementById(copier.dataset.copy);
      navigator.clipboard.writeText(source.value || source.textContent).then(function () {
        var label = copier.querySelector("[data-done]");
        if (label) { label.textContent = label.dataset.done; }
      });
    }
    if (event.target.closest("[data-print]")) { window.print(); }
    var opened = event.target.closest("[data-unit]");
    if (opened) {
      all(".unit--open").forEach(function (row) { row.classList.remove("unit--open"); });
      opened.parentNode.classList.add("unit--open");
    }
    /* A finding's link: open the pane of the unit, then bring it into view. */
    var culprit = event.target.closest("[data-culprit]");
    if (culprit) { flash(culprit.dataset.culprit); }
    all("details.menu[open]").forEach(function (menu) { if (!menu.contains(event.target)) { menu.open = false; } });
  });
  function flash(id) {
    var row = document.getElementById(id);
    if (!row) { return; }
    row.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    row.classList.remove("is-culprit");
    requestAnimationFrame(function () { row.classList.add("is-culprit"); });
  }

  /* On a phone the panes are stacked: what was asked for comes into view. */
  document.addEventListener("htmx:afterSettle", function (event) {
    if (event.target.id === "detail" && event.detail.requestConfig && event.detail.requestConfig.verb === "get" && matchMedia("(max-width: 719px)").matches) {
      event.target.scrollIntoView({ block: "start" });
    }
  });

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
    typed = all("#detail input[id][name^='fact.']").filter(function (field) {
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

  /* Keys */
  document.addEventListener("keydown", function (event) {
    var here = document.activeElement, stepper = here && here.closest && here.closest(".stepper");
    if (event.key === "Escape") { all("details.menu[open]").forEach(function (menu) { menu.open = false; }); return; }
    if (event.altKey) { return; }
    if (event.ctrlKey || event.metaKey) {
      if ((event.key === "z" || event.key === "Z") && !event.shiftKey && !typing(here)) {
        var undo = document.querySelector("[data-key='undo']");
        if (undo && !undo.disabled) { event.preventDefault(); undo.click(); }
      }
      return;
    }
    if (typing(here)) { return; }
    var group = here && here.closest && here.closest("[role='radiogroup']");
    if (group && /^Arrow(Up|Down|Left|Right)$/.test(event.key) && here.getAttribute("role") === "radio") {
      var radios = all("[role='radio']:not([disabled])", group), step = /Up|Left/.test(event.key) ? -1 : 1;
      event.preventDefault();
      radios[(radios.indexOf(here) + step + radios.length) % radios.length].focus();
      return;
    }
    if (event.key === "/") {
      var search = document.querySelector("[data-key='search']");
      if (search) { event.preventDefault(); search.focus(); search.select(); }
      return;
    }
    /* Counts: in a stepper, or the unit's first stepper (its models) when nothing has the focus. */
    var box = stepper || (here === document.body ? document.querySelector("#detail:not(.hero) .stepper") : null);
    if (!box) { return; }
    if (event.key === "+" || event.key === "=" || event.key === "-") {
      var button = box.querySelector(event.key === "-" ? "[data-step='-1']" : "[data-step='1']");
      if (button && !button.disabled) { event.preventDefault(); button.click(); }
    } else if (/^[0-9]$/.test(event.key) && here.tagName !== "INPUT") {
      var field = box.querySelector("input[type='number']");
      if (field) { event.preventDefault(); field.focus(); field.value = event.key; }
    }
  });
})();

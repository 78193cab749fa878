/* Edits of a list or a hero: one at a time, and answered in place. What was touched stays where it was and keeps the
   focus, what was typed meanwhile is kept, what was lost or refused is told beside the control that asked for it. */
(function () {
  "use strict";
  var root = document.documentElement;
  var BLOCKS = ".option-group, .count, .option, .offer, .field, .unit, .counter, .dial, .slot-card, .role__head, form:not(#edits, .stepper)";

  function byId(id) { return id ? document.getElementById(id) : null; }
  function all(selector) { return Array.from(document.querySelectorAll(selector)); }
  function isShown(element) { return Boolean(element && element.isConnected && element.getClientRects().length); }

  /* The pressed button belongs to the form, wherever on the page it stands: htmx only sees those inside. */
  document.addEventListener("htmx:configRequest", function (event) {
    var cause = event.detail.triggeringEvent, button = cause && cause.submitter;
    if (button && button.name) { event.detail.parameters[button.name] = button.value; }
    if (!isEdit(event.detail.elt)) { return; }
    /* The page holds one revision; and the answer may leave out every part that stands on the page as it shall be. */
    event.detail.parameters.revision = revision();
    event.detail.parameters.have = all("[data-stamp]").map(function (part) { return part.dataset.stamp; }).join("");
  });

  function revision() { return byId("revision").value; }

  /* One edit at a time: whatever is asked for while another is on its way waits, and is then asked of the fresh page. */
  var going = null, waiting = [], isSent = false;

  function isEdit(element) { return element.matches("form[hx-post][hx-target='#detail']"); }

  document.addEventListener("htmx:confirm", function (event) {
    var form = event.detail.elt, cause = event.detail.triggeringEvent;
    if (!isEdit(form)) { return; }
    event.preventDefault();
    var control = (cause && cause.submitter) || (cause && cause.type === "change" && cause.target) || document.activeElement;
    if (going && form.id !== "edits" && going.form === form && going.says === said(form)) { return; }
    ask({ form: form, control: control, says: "", again: event.detail.issueRequest });
  });

  function said(form) { return new URLSearchParams(new FormData(form)).toString(); }
  function ask(edit) {
    forget();
    step(edit);
    if (going) { waiting.push(edit); } else { start(edit); }
  }
  function start(edit) {
    going = edit;
    edit.says = said(edit.form);
    isSent = false;
    root.classList.add("is-busy");
    edit.again(true);
    if (!isSent) { next(); }
  }
  function next() {
    going = null;
    while (waiting.length) {
      var edit = waiting.shift();
      if (edit.form.isConnected && edit.control.isConnected && !edit.control.disabled) { start(edit); return; }
    }
    root.classList.remove("is-busy");
  }
  document.addEventListener("htmx:beforeRequest", function (event) { if (going && event.target === going.form) { isSent = true; } });

  /* The new count at once; the answer puts it right. */
  function step(edit) {
    var box = edit.control.dataset.step && edit.control.closest(".stepper");
    var field = box && box.querySelector("input[type='number']");
    if (!field || field.value === "") { return; }
    edit.count = field;
    field.value = String(Math.max(Number(field.value) + Number(edit.control.dataset.step), field.min === "" ? -Infinity : Number(field.min)));
  }

  /* What is offered beside a finding was tried on the list before this edit: once edits have come to rest it is asked for anew. */
  var REST = 600, MOST_ASKED = 6, resting = 0;
  function offerAnew() {
    var mine = resting += 1;
    setTimeout(function () {
      if (going || mine !== resting) { return; }
      all(".finding__chip").filter(isShown).slice(0, MOST_ASKED).forEach(function (place) { window.htmx.trigger(place, "again"); });
    }, REST);
  }

  /* Where the touched control stood on the screen; it is there again after the answer. */
  var held = null;

  document.addEventListener("htmx:beforeSwap", function (event) {
    if (event.target.id !== "detail" || !going) { return; }
    var address = event.detail.xhr.getResponseHeader("HX-Replace-Url");
    var control = going.control;
    var leads = Boolean(address) && new URL(address, location.href).search !== location.search;
    var row = control.closest("#army .unit");
    held = { control: control, id: control.id, row: row ? row.id : "", shown: isShown(control), top: control.getBoundingClientRect().top, leads: leads };
  });
  document.addEventListener("htmx:afterSwap", function (event) {
    if (event.target.id !== "detail" || !going) { return; }
    if (going.count && going.count.isConnected && !waiting.some(function (edit) { return edit.count === going.count; })) { going.count.value = going.count.defaultValue; }
    if (event.detail.xhr.status >= 400) { tellBeside(byId("refusal"), going.control); }
    putBack();
    if (held && !held.leads) { keepFocus(); }
    if (event.detail.xhr.status < 400) { saved(going.form); offerAnew(); }
  });
  document.addEventListener("htmx:afterSettle", function (event) {
    if (event.target.id !== "detail" || !going) { return; }
    putBack();
    held = null;
    next();
  });

  function scrollerOf(element) {
    for (var box = element.parentElement; box; box = box.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(box).overflowY) && box.scrollHeight > box.clientHeight && box !== document.body) { return box; }
    }
    return document.scrollingElement;
  }
  function putBack() {
    if (!held || held.leads || !held.shown) { return; }
    var control = held.control.isConnected ? held.control : byId(held.id);
    if (!isShown(control)) { return; }
    var detail = byId("detail"), above = byId("unit-findings");
    function away() { return control.getBoundingClientRect().top - held.top; }
    if (Math.abs(away()) < 0.5) { return; }
    scrollerOf(control).scrollTop += away();
    if (away() >= 1 && detail.contains(control)) {
      detail.style.paddingBottom = (parseFloat(getComputedStyle(detail).paddingBottom) + away()) + "px";
      scrollerOf(control).scrollTop += away();
    } else if (away() <= -1 && above && detail.contains(control)) {
      above.style.minHeight = (above.getBoundingClientRect().height - away()) + "px";
    }
  }
  function keepFocus() {
    var here = document.activeElement, control = held.control.isConnected ? held.control : byId(held.id);
    if (here && here !== document.body && here.id !== "detail" && !here.disabled) { return; }
    if (control && control.disabled) { control = (control.closest(".stepper") || root).querySelector("[data-step]:not([disabled])"); }
    var row = byId(held.row);
    if (row && !isShown(control)) { row.querySelector(".unit__open").focus(); return; }
    if (isShown(control)) { control.focus({ preventScroll: true }); } else { byId("detail").focus({ preventScroll: true }); }
  }

  /* What is on the page and not in the answer: opened parts, and what was typed into other fields while it came. */
  function isTyped(field) {
    if (!field.matches("textarea, input:not([type]), input[type='text'], input[type='number'], input[type='search']")) { return false; }
    if (field.value === field.defaultValue) { return false; }
    if (field.closest(".stepper") && field !== document.activeElement) { return waiting.some(function (edit) { return edit.count === field; }); }
    return !(going && (going.count === field || (going.form === field.form && new URLSearchParams(going.says).get(field.name) === field.value)));
  }
  document.addEventListener("DOMContentLoaded", function () {
    var callbacks = window.Idiomorph && window.Idiomorph.defaults.callbacks;
    if (!callbacks) { return; }
    callbacks.beforeNodeMorphed = function (old, fresh) {
      if (fresh.nodeType === 1 && fresh.hasAttribute("data-same")) { return false; }
      return !(old.nodeType === 1 && (old.id === "sieve" || isTyped(old)));
    };
    callbacks.beforeAttributeUpdated = function (name, node) { return !(name === "open" && node.matches("details:not(.menu)")); };
  });

  /* What was lost, or refused: told beside the control, with another try. */
  function forget() { all("[data-lost]").forEach(function (told) { told.remove(); }); }
  function tellBeside(told, control) {
    var block = told && isShown(control) ? control.closest(BLOCKS) : null;
    if (block && block.matches(".option")) { block.insertBefore(told, block.querySelector(":scope > .option__inside")); }
    else if (block && !block.closest(".menu")) { block.after(told); } else if (told) { byId("toasts").replaceChildren(told); }
  }
  function lose(event, id) {
    var edit = going, told = edit && event.target === edit.form ? byId(id) : null;
    if (!told) { return; }
    event.detail.isTold = true;
    told = told.content.firstElementChild.cloneNode(true);
    told.querySelector("[data-again]").addEventListener("click", function () { ask(edit); });
    [edit].concat(waiting).forEach(function (one) { if (one.count) { one.count.value = one.count.defaultValue; } });
    waiting = [];
    forget();
    tellBeside(told, edit.control);
    next();
  }
  document.addEventListener("htmx:sendError", function (event) { lose(event, "say-lost"); }, true);
  document.addEventListener("htmx:timeout", function (event) { lose(event, "say-lost"); }, true);
  document.addEventListener("htmx:responseError", function (event) { lose(event, "say-not-made"); }, true);

  /* Names and notes are saved when their field is left, and on the way out of the page. */
  function saved(form) {
    var word = form.isConnected && form.querySelector("[data-saved]");
    if (word) { word.textContent = word.dataset.saved; }
  }
  function unsaved() {
    return all("#detail [data-saves]").filter(function (field) { return field.value !== field.defaultValue && !(going && going.form === field.form); });
  }
  window.addEventListener("pagehide", function () {
    unsaved().forEach(function (field) {
      var data = new FormData(field.form);
      data.set("revision", revision());
      navigator.sendBeacon(field.form.action, data);
    });
  });

  window.edits = { unsaved: unsaved };
})();

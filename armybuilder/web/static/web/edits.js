/* Edits of a list or a hero: one at a time, and answered in place. What was touched stays where it was and keeps the
   focus, what was typed meanwhile is kept, what was lost or refused is told beside the control that asked for it. */
(function () {
  "use strict";
  var root = document.documentElement;
  var BLOCKS = ".option-group, .count, .option, .offer, .field, .unit, .counter, .dial, .slot-card, .role__head, form:not(#edits, .stepper)";

  var going = null, waiting = [], tapped = null, sending = null, isSent = false, leaving = [];
  var started = 0, reading = {}; /* edits so far; requests for the pane and for what is found in it that are on their way */

  function byId(id) { return id ? document.getElementById(id) : null; }
  function all(selector) { return Array.from(document.querySelectorAll(selector)); }
  function isShown(element) { return Boolean(element && element.isConnected && element.getClientRects().length); }

  /* The pressed button belongs to the form, wherever on the page it stands: htmx only sees those inside. */
  document.addEventListener("htmx:configRequest", function (event) {
    var cause = event.detail.triggeringEvent, button = cause && cause.submitter;
    if (button && button.name) { event.detail.parameters[button.name] = button.value; }
    if (!isEdit(event.detail.elt)) { return; }
    /* The page holds one revision; and the answer may leave out every part that stands on the page as it shall be. */
    if (!isKept(event.detail.elt)) { event.detail.parameters.revision = revision(); }
    if (going && going.count) { event.detail.parameters[byId(going.count).name] = String(going.number); }
    event.detail.parameters.have = all("[data-stamp]").map(function (part) { return part.dataset.stamp; }).join("");
  });

  function revision() { return byId("revision").value; }

  /* One edit at a time: whatever is asked for while another is on its way waits, and is then asked of the fresh page.
     An edit of a count says by how much, and from which number where one was typed. */
  /* What was kept on the device while the server was away comes as one edit, with the revision it was made on (kept.js). */
  function isKept(form) { return form.id === "kept-edits"; }
  function isEdit(element) { return element.matches("form[hx-post][hx-target='#detail']"); }

  document.addEventListener("htmx:confirm", function (event) {
    var form = event.detail.elt, cause = event.detail.triggeringEvent;
    if (!isEdit(form)) { wait(event); return; }
    if (sending && sending.form === form) { return; }
    event.preventDefault();
    if (isKept(form)) { ask({ form: form, control: form, says: "", again: event.detail.issueRequest, pane: pane(), count: "" }); return; }
    var control = (cause && cause.submitter) || (cause && cause.type === "change" && cause.target) || document.activeElement;
    if (going && form.id !== "edits" && going.form === form && going.says === said(form)) { return; }
    var edit = { form: form, control: control, says: "", again: event.detail.issueRequest, pane: pane(), count: "", from: null, by: 0 };
    edit.isWrittenAndLeft = control.matches("input, textarea") && document.activeElement !== control;
    var field = countOf(control.dataset.step ? control : form.matches(".stepper") ? form : null);
    if (!field) { ask(edit); } else if (control.dataset.step) { tap(edit, field); } else { type(edit, field); }
  });

  function said(form) { return new URLSearchParams(new FormData(form)).toString(); }
  function ask(edit) {
    tapsEnd();
    forget();
    if (!going && window.kept.takes(edit)) {
      all("#refusal").forEach(function (told) { told.remove(); }); /* of an edit before, which no answer takes away now */
      next();
      return;
    }
    root.classList.add("is-busy");
    if (going) { waiting.push(edit); } else { start(edit); }
  }
  function start(edit) {
    var field = byId(edit.count);
    if (field) {
      edit.number = numberAfter(edit, Number(field.defaultValue));
      if (String(edit.number) === field.defaultValue) { next(); return; }
    }
    going = edit;
    started += 1;
    edit.says = said(edit.form);
    edit.isAnswered = isSent = false;
    edit.since = window.performance.now();
    edit.again(true);
    if (!isSent) { next(); }
  }
  /* What was asked for is asked of the page as it is by then; a count is known by its field. */
  function isThere(edit) {
    if (edit.count) {
      edit.form = byId(edit.count) && byId(edit.count).form;
      return Boolean(edit.form);
    }
    return edit.form.isConnected && edit.control.isConnected && !edit.control.disabled;
  }
  function next() {
    going = null;
    while (waiting.length) {
      var edit = waiting.shift();
      if (isThere(edit)) { start(edit); return; }
    }
    if (tapped) { return; }
    root.classList.remove("is-busy");
    leaving.splice(0).forEach(function (go) { go(); });
  }
  document.addEventListener("htmx:beforeRequest", function (event) {
    if (!going || event.target !== going.form) { return; }
    isSent = true;
    going.xhr = event.detail.xhr;
  });
  function isAnswer(event) { return Boolean(going) && event.target.id === "detail" && event.detail.xhr === going.xhr; }

  /* What is looked for, opened, asked or left for while an edit is on its way is to show what the edit made. */
  function whenDone(go) {
    tapsEnd();
    if (going) { leaving.push(go); } else { go(); }
  }
  function wait(event) {
    var detail = event.detail;
    if (detail.target.id === "offers" && reading.detail) { event.preventDefault(); return; } /* of a pane that is being left */
    if ((!going && !tapped) || (detail.verb !== "get" && detail.elt.id === "share-now")) { return; } /* a clipboard takes what a tap has just asked for */
    event.preventDefault();
    if (detail.target.id === "offers") { seekLater(); return; }
    whenDone(function () {
      var asked = detail.issueRequest(true);
      if (asked) { asked.catch(function () { return null; }); } /* given up for another, as places.js says of its own */
    });
  }
  /* What was found takes the place of the rows that were tapped, and an answer to a tap shows what was looked for before
     it: while edits are on their way the search waits, for the last that was typed. */
  var isSought = false;
  function seekLater() {
    if (isSought) { return; }
    isSought = true;
    whenDone(function () {
      var search = document.querySelector(".add-form");
      isSought = false;
      if (search) { window.htmx.trigger(search, "submit"); }
    });
  }
  /* What was asked for before an edit shows the list without it: it is asked for once more when the edit is made. */
  document.addEventListener("htmx:beforeRequest", function (event) {
    var xhr = event.detail.xhr, part = event.detail.target.id;
    xhr.startedBefore = started;
    if (event.detail.requestConfig.verb !== "get" || !/^(detail|offers)$/.test(part)) { return; }
    /* Whatever was to be shown there before is not asked for any more. */
    [reading[part], part === "detail" && reading.offers].forEach(function (last) { if (last) { last.abort(); } });
    reading[part] = xhr;
    xhr.addEventListener("loadend", function () { if (reading[part] === xhr) { reading[part] = null; } });
  });
  document.addEventListener("htmx:beforeSwap", function (event) {
    var detail = event.detail, asked = detail.requestConfig;
    if (asked.verb !== "get" || !/^(detail|offers)$/.test(event.target.id)) { return; }
    if (detail.xhr.startedBefore === started) { return; }
    detail.shouldSwap = false;
    if (event.target.id === "offers") { seekLater(); return; }
    whenDone(function () {
      if (asked.elt.isConnected && asked.elt.matches("a")) { asked.elt.click(); return; }
      window.places.ask(asked.path);
    });
  });
  document.addEventListener("click", function (event) {
    var link = event.target.closest("a[href]:not([hx-get], [target], [download])");
    if ((!going && !tapped) || !link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) { return; }
    if (link.getAttribute("href").startsWith("#")) { return; }
    event.preventDefault();
    whenDone(function () { location.assign(link.href); });
  });
  document.addEventListener("submit", function (event) {
    var form = event.target, button = event.submitter;
    if ((!going && !tapped) || event.defaultPrevented || form.matches("[hx-post], [hx-get], [method='dialog']")) { return; }
    event.preventDefault();
    whenDone(function () { if (form.isConnected) { form.requestSubmit(button && button.isConnected ? button : null); } });
  });

  /* Taps on − and + show the new number at once. The first is sent at once, too; those that follow it before it has
     rested are sent as one edit when they have. On a slow line all of them are one edit: a second would cost more than the rest. */
  var TAPS_REST = 180, SLOW_LINE = 1500, tapsTimer = 0, lastTap = -Infinity, lastTrip = tripOfPage();

  function tripOfPage() {
    var page = window.performance.getEntriesByType("navigation")[0];
    return page ? page.responseEnd - page.requestStart : 0;
  }

  function countOf(element) {
    var box = element && element.closest(".stepper");
    return box && box.querySelector("input[type='number']");
  }
  function tap(edit, field) {
    var last = tapped || waiting[waiting.length - 1], by = Number(edit.control.dataset.step);
    if (!last || last.count !== field.id) {
      tapsEnd();
      forget();
      counts(edit, field);
      last = tapped = edit;
    }
    if (shown(field) !== field.value) { /* a number was typed before */
      last.from = Number(field.value);
      last.by = 0;
    }
    last.by += by;
    last.control = edit.control;
    root.classList.add("is-busy");
    show(field);
    clearTimeout(tapsTimer);
    var now = window.performance.now(), hasRested = now - lastTap > TAPS_REST;
    lastTap = now;
    if (hasRested && !going && lastTrip < SLOW_LINE) { tapsEnd(); } else { tapsTimer = setTimeout(tapsEnd, TAPS_REST); }
  }
  function tapsEnd() {
    var edit = tapped;
    clearTimeout(tapsTimer);
    tapped = null;
    if (edit) { ask(edit); }
  }
  /* Where the first of quick taps was refused, those after it are not made either: "repeat" asks for all of them. */
  function giveUpTaps(count) {
    var field = byId(count), again = document.querySelector("#refusal [name='amount']");
    var more = field ? countsOf(field) : [];
    if (!more.length) { return; }
    if (again) { again.value = String(more.reduce(function (number, edit) { return numberAfter(edit, number); }, Number(again.value))); }
    waiting = waiting.filter(function (edit) { return more.indexOf(edit) < 0; });
    if (more.indexOf(tapped) >= 0) { clearTimeout(tapsTimer); tapped = null; }
  }
  function type(edit, field) {
    if (field.value === "") { show(field); } /* no number was typed: the one that holds stands there again */
    if (shown(field) === field.value) { return; }
    tapsEnd();
    counts(edit, field);
    edit.from = Number(field.value);
    ask(edit);
    show(field);
  }
  /* The number is the stepper's own to send: its buttons only say by how much. */
  function counts(edit, field) {
    edit.count = field.id;
    edit.form = field.form;
    edit.again = function () {
      sending = edit;
      window.htmx.trigger(edit.form, "submit");
      sending = null;
    };
  }
  function lowestOf(field) { return Number(field.form.dataset.lowest || 0); }
  function numberAfter(edit, number) {
    var field = byId(edit.count), most = field.max === "" ? Infinity : Number(field.max);
    if (edit.from !== null && !edit.by) { return edit.from; } /* as it was typed: whether there can be so many, the server says */
    return Math.min(Math.max((edit.from === null ? number : edit.from) + edit.by, lowestOf(field)), most);
  }
  /* The number that an edit of a count asks for, if it is made on what the page shows. */
  function numberOf(edit) { return numberAfter(edit, Number(byId(edit.count).defaultValue)); }
  function countsOf(field) { return waiting.concat(tapped || []).filter(function (edit) { return edit.count === field.id; }); }
  /* The number that will be there when all that was asked for is done. */
  function shown(field) {
    var asked = countsOf(field);
    if (going && !going.isAnswered && going.count === field.id) { asked.unshift(going); }
    if (!asked.length) { return field.defaultValue; }
    return String(asked.reduce(function (number, edit) { return numberAfter(edit, number); }, Number(field.defaultValue)));
  }
  function show(field) {
    var less = field && field.form.querySelector("[data-step='-1']");
    if (!field) { return; }
    field.value = shown(field);
    if (less) { less.disabled = Number(field.value) <= lowestOf(field); }
  }

  /* What is offered beside a finding was tried on the list before this edit: once edits have come to rest it is asked for anew. */
  var REST = 600, MOST_ASKED = 6, resting = 0;
  function offerAnew() {
    var mine = resting += 1;
    setTimeout(function () {
      if (going || tapped || mine !== resting) { return; }
      all(".finding__chip").filter(isShown).slice(0, MOST_ASKED).forEach(function (place) { window.htmx.trigger(place, "again"); });
    }, REST);
  }

  /* Where the touched control stood on the screen; it is there again after the answer. */
  var held = null;

  document.addEventListener("htmx:beforeSwap", function (event) {
    if (!isAnswer(event)) { return; }
    if (isLeft()) { event.detail.swapOverride = "none"; }
    var address = event.detail.xhr.getResponseHeader("HX-Replace-Url");
    var control = going.control;
    var leads = Boolean(address) && new URL(address, location.href).search !== location.search;
    var row = control.closest("#army .unit");
    held = { control: control, id: control.id, row: row ? row.id : "", shown: isShown(control), top: control.getBoundingClientRect().top, leads: leads };
  });
  document.addEventListener("htmx:afterSwap", function (event) {
    if (!isAnswer(event)) { return; }
    going.isAnswered = true;
    lastTrip = window.performance.now() - going.since;
    if (!isLeft()) { waiting.concat(tapped || []).forEach(function (edit) { edit.pane = pane(); }); }
    going.isRefused = event.detail.xhr.status >= 400;
    if (going.isRefused) { giveUpTaps(going.count); }
    show(byId(going.count));
    if (going.isRefused) { tellBeside(byId("refusal"), going.control); }
    if (isKept(going.form)) { window.kept.answered(going.form, event.detail.xhr.status); }
    putBack();
    if (held && !held.leads && !going.isWrittenAndLeft) { keepFocus(); }
    if (!going.isRefused) { saved(going.form); offerAnew(); }
  });
  document.addEventListener("htmx:afterSettle", function (event) {
    if (!isAnswer(event)) { return; }
    putBack();
    held = null;
    if (going.isRefused) { bringIntoView(byId("refusal")); }
    next();
  });

  /* Whether another pane was opened since the edit was asked for: its answer is not to bring the old one back. */
  function isLeft() { return Boolean(going) && going.pane !== pane(); }
  function pane() { return window.places.pane(); }

  function scrollerOf(element) {
    for (var box = element.parentElement; box; box = box.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(box).overflowY) && box.scrollHeight > box.clientHeight && box !== document.body) { return box; }
    }
    return document.scrollingElement;
  }
  function putBack() {
    if (!held || held.leads || !held.shown) { return; }
    var control = held.control.isConnected ? held.control : byId(held.id);
    if (isShown(control)) { keepAt(control, held.top); }
  }
  /* Scrolls until a control is where it stood; where the page is too short for that by now, it is made longer. */
  function keepAt(control, top) {
    var detail = byId("detail"), above = byId("unit-findings");
    function away() { return control.getBoundingClientRect().top - top; }
    if (Math.abs(away()) < 0.5) { return; }
    scrollerOf(control).scrollTop += away();
    if (away() >= 1 && detail.contains(control)) {
      detail.style.paddingBottom = (parseFloat(getComputedStyle(detail).paddingBottom) + away()) + "px";
      scrollerOf(control).scrollTop += away();
    } else if (away() <= -1 && above && detail.contains(control)) {
      above.style.minHeight = (above.getBoundingClientRect().height - away()) + "px";
    }
  }
  /* What folds away below its heading must not let the heading sink. */
  document.addEventListener("click", function (event) {
    var heading = event.target.closest("#detail summary"), top = heading && heading.getBoundingClientRect().top;
    if (heading) { requestAnimationFrame(function () { keepAt(heading, top); }); }
  });
  function keepFocus() {
    var here = document.activeElement, control = held.control.isConnected ? held.control : byId(held.id);
    if (here && here !== document.body && here.id !== "detail" && !here.disabled) { return; }
    if (control && control.disabled) {
      var offer = control.closest(".offer");
      control = offer ? offer.querySelector(".offer__taken, a.offer__name") : (control.closest(".stepper") || root).querySelector("[data-step]:not([disabled])");
    }
    var row = byId(held.row);
    if (row && !isShown(control)) { row.querySelector(".unit__open").focus(); return; }
    if (isShown(control)) { control.focus({ preventScroll: true }); } else { byId("detail").focus({ preventScroll: true }); }
  }

  /* What is on the page and not in the answer: opened parts, and what was typed into other fields while it came. */
  function isTyped(field) {
    if (!field.matches("textarea, input:not([type]), input[type='text'], input[type='number'], input[type='search']")) { return false; }
    if (field.value === field.defaultValue) { return false; }
    if (field.closest(".stepper") && field !== document.activeElement) { return countsOf(field).length > 0; }
    return !(going && ((going.count === field.id && !countsOf(field).length) || (going.form === field.form && new URLSearchParams(going.says).get(field.name) === field.value)));
  }
  document.addEventListener("DOMContentLoaded", function () {
    var callbacks = window.Idiomorph && window.Idiomorph.defaults.callbacks;
    if (!callbacks) { return; }
    callbacks.beforeNodeMorphed = function (old, fresh) {
      if (fresh.nodeType === 1 && fresh.hasAttribute("data-same")) { return false; }
      if (old.nodeType === 1 && old.matches(".stepper input") && isTyped(old)) { old.defaultValue = fresh.defaultValue; }
      return !(old.nodeType === 1 && (old.id === "sieve" || isTyped(old)));
    };
    callbacks.beforeAttributeUpdated = function (name, node) { return !(name === "open" && node.matches("details:not(.menu)")); };
  });

  /* What was lost, or refused: told beside the control, with another try. */
  function forget() { all("[data-lost]").forEach(function (told) { told.remove(); }); }
  function tellBeside(told, control) {
    if (told && isKept(control)) { byId("kept-refusal").replaceChildren(told); return; }
    control = control.isConnected ? control : byId(control.id);
    var block = told && isShown(control) ? control.closest(BLOCKS) : null;
    if (block && block.matches(".option")) { block.insertBefore(told, block.querySelector(":scope > .option__inside")); }
    else if (block && !block.closest(".menu")) { block.after(told); } else if (told) { byId("toasts").replaceChildren(told); }
  }
  function bringIntoView(told) { if (told) { told.scrollIntoView({ block: "nearest" }); } }
  function lose(event, id) {
    var edit = going, told = edit && event.target === edit.form ? byId(id) : null;
    if (!told) { return; }
    event.detail.isTold = true;
    if (isKept(edit.form)) { window.kept.answered(edit.form, event.detail.xhr.status); next(); return; }
    told = told.content.firstElementChild.cloneNode(true);
    var lost = [edit].concat(waiting, tapped || []);
    if (id === "say-lost" && lost.every(window.kept.canKeep)) {
      clearTimeout(tapsTimer);
      going = tapped = null;
      waiting = [];
      lost.forEach(window.kept.take);
      next();
      return;
    }
    told.querySelector("[data-again]").addEventListener("click", function () {
      lost.filter(isThere).forEach(ask);
      lost.forEach(function (one) { show(byId(one.count)); });
    });
    clearTimeout(tapsTimer);
    going = tapped = null;
    waiting = [];
    lost.forEach(function (one) { show(byId(one.count)); });
    forget();
    tellBeside(told, edit.control);
    bringIntoView(told);
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
  /* An edit that is still on its way when the page is left may never arrive: it and those behind it are remembered, and
     the list's page says or does next time what became of them. */
  function leave() {
    var left = [going].concat(waiting, tapped || []), counted = left.filter(function (edit) { return edit.count; });
    var numbers = counted.map(function (edit) { return Number(shown(byId(edit.count))); });
    counted.forEach(function (edit, at) { edit.from = numbers[at]; edit.by = 0; });
    window.kept.remember(left.concat(unsaved().map(function (field) { return { form: field.form, control: field, count: "" }; })));
  }
  window.addEventListener("pagehide", function () {
    if (going && !going.isAnswered && !isKept(going.form)) { leave(); return; }
    if (tapped && window.kept.takes(tapped)) { tapped = null; }
    var count = tapped && byId(tapped.count);
    unsaved().concat(count || []).forEach(function (field) {
      if (window.kept.takes({ form: field.form, control: field, count: "" })) { return; }
      var data = new FormData(field.form);
      data.set("revision", revision());
      navigator.sendBeacon(field.form.action, data);
    });
  });
  document.addEventListener("visibilitychange", function () { if (document.hidden) { tapsEnd(); } });

  /* What carries units comes when a pointer is first seen on the page; a grip that is held by then is taken up (order.js). */
  var POINTED = ["pointerover", "touchstart"], holds = [];
  function bring(addresses) {
    var script = document.createElement("script");
    script.src = addresses[0];
    script.onload = function () { if (addresses.length > 1) { bring(addresses.slice(1)); } };
    document.head.append(script);
  }
  function pointed() {
    var army = document.querySelector("[data-order]");
    POINTED.forEach(function (kind) { document.removeEventListener(kind, pointed); });
    if (army) { bring(army.dataset.order.split(" ")); }
  }
  POINTED.forEach(function (kind) { document.addEventListener(kind, pointed, { passive: true }); });
  ["pointerdown", "mousedown"].forEach(function (kind) {
    document.addEventListener(kind, function (event) { if (event.target.closest(".unit__grip")) { holds.push(event); } }, { capture: true, passive: true });
  });
  ["pointerup", "pointercancel", "mouseup"].forEach(function (kind) {
    document.addEventListener(kind, function () { holds = []; }, { capture: true, passive: true });
  });
  function heldGrip() { return holds.filter(function (event) { return event.target.isConnected; }); }

  window.edits = { unsaved: unsaved, heldGrip: heldGrip, isLeft: isLeft, whenDone: whenDone, numberOf: numberOf };
})();

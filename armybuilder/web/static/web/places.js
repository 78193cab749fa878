/* Where one is in a list: every pane and dialog that opens is a step forward, an edit is none, and Back takes one step. */
(function () {
  "use strict";
  var builder = null, home = null, afterwards = null, shown = "", isReturning = false, isClosing = false, isLate = false, closings = 0;

  var LONGEST_STEP = 1000; /* milliseconds until nobody waits any longer for a step back; a busy browser may take it yet */

  function address() { return location.pathname + location.search; }
  function depth() { return (history.state && history.state.depth) || 0; }
  function isPhone() { return matchMedia("(max-width: 719px)").matches; }
  function byId(id) { return document.getElementById(id); }
  /* What is open, whatever is searched for in it. */
  function pane(search) {
    var query = new URLSearchParams(search);
    return ["unit", "add", "pane"].map(function (name) { return query.get(name) || ""; }).join(" ");
  }
  function isRoll() { return !location.search; }

  document.addEventListener("DOMContentLoaded", function () {
    builder = document.querySelector(".builder");
    shown = address();
    if (history.state && history.state.dialog) { history.back(); } /* loaded anew, the page has no dialog open: nor its step */
    if (!builder) { return; }
    window.htmx.config.historyEnabled = false;
    history.scrollRestoration = "manual";
    if ((isRoll() && !location.hash) || isLoadedAgain()) { backToPlace(); }
  });

  /* The places that were left: on the roll, and in each pane. */
  function place() {
    var search = shown.split("?")[1];
    return "place " + location.pathname + (search ? " " + pane(search) : "");
  }
  function scroller() { return shown.includes("?") && !isPhone() ? byId("detail") : document.scrollingElement; }
  function leavePlace() {
    if (builder && !isReturning && (shown.includes("?") || !builder.querySelector("#detail.pane--open"))) {
      sessionStorage.setItem(place(), String(scroller().scrollTop));
    }
  }
  function backToPlace() {
    var top = sessionStorage.getItem(place());
    if (!isRoll() && !top) { toTop(); } else if (isPhone() || !isRoll() || !depth()) { scroller().scrollTop = Number(top); }
  }
  function isLoadedAgain() {
    return window.performance.getEntriesByType("navigation")[0].type !== "navigate";
  }
  window.addEventListener("pagehide", leavePlace);
  document.addEventListener("htmx:beforeRequest", leavePlace);

  /* Panes */
  document.addEventListener("htmx:pushedIntoHistory", function (event) {
    if (!builder) { return; }
    history.pushState({ depth: depth() + 1 }, "", event.detail.path);
    isReturning = false;
    shown = address();
    markRow();
  });
  document.addEventListener("htmx:replacedInHistory", function (event) {
    if (!builder || window.edits.isLeft()) { return; }
    var path = new URL(event.detail.path, location.href), hasLeft = pane(path.search) !== pane(location.search);
    if (!path.search && depth()) {
      shown = path.pathname;
      history.go(-depth());
    } else if (isRoll() && path.search) { /* an edit of the roll that opens what it made is a step, too */
      history.pushState({ depth: depth() + 1 }, "", path.pathname + path.search);
      shown = address();
    } else {
      if (path.pathname + path.search !== address()) { history.replaceState(history.state, "", path.pathname + path.search); }
      shown = address();
    }
    if (hasLeft) { requestAnimationFrame(function () { arrive(!path.search); }); }
  });
  /* An edit has led elsewhere: to the top of what it made, or back to the roll. */
  function arrive(isBack) {
    if (isBack) { backToPlace(); byId("detail").focus({ preventScroll: true }); return; }
    toTop();
    focusPane();
  }
  function focusPane() {
    var detail = byId("detail"), row = document.querySelector("#army .unit--open .unit__open");
    if (row && row.getClientRects().length) {
      row.focus({ preventScroll: true });
      row.scrollIntoView({ block: "nearest" });
    } else { detail.focus({ preventScroll: true }); }
  }
  function toTop() {
    var detail = byId("detail");
    detail.scrollTop = 0;
    if (isPhone() && detail.classList.contains("pane--open")) { detail.scrollIntoView({ block: "start" }); }
  }
  function markRow() {
    var unit = new URLSearchParams(location.search).get("unit");
    document.querySelectorAll("#army .unit").forEach(function (row) { row.classList.toggle("unit--open", row.id === "unit-" + unit); });
  }
  document.addEventListener("htmx:afterSettle", function (event) {
    if (event.target.id !== "detail" || event.detail.requestConfig.verb !== "get") { return; }
    if (isReturning) { backToPlace(); } else { toTop(); }
    isReturning = false;
    if (document.activeElement === document.body) { focusPane(); } /* what was pressed is gone with its pane */
  });

  window.addEventListener("popstate", function (event) {
    var dialog = document.querySelector("dialog[open]");
    if (dialog || isClosing) {
      event.stopImmediatePropagation(); /* the step of a dialog leads nowhere; htmx would reload */
      if (dialog && (isClosing || isLate)) { step(dialog); } else if (dialog) { dialog.close(); }
      isLate = false;
      hasClosed();
      return;
    }
    isLate = false;
    if (!builder || address() === shown) { return; }
    leavePlace();
    shown = address();
    markRow();
    isReturning = true;
    if (isRoll() && isPhone()) {
      byId("detail").classList.remove("pane--open");
      backToPlace();
    }
    var left = window.edits.unsaved();
    if (left.length) {
      left[0].form.elements.focus.value = location.search.slice(1);
      left[0].dispatchEvent(new Event("change", { bubbles: true }));
      return;
    }
    ask(address());
  });
  /* The arrow of a pane goes back to the roll by the way one came. */
  document.addEventListener("click", function (event) {
    if (builder && event.target.closest(".pane__back") && depth()) {
      event.preventDefault();
      event.stopPropagation();
      history.go(-depth());
    }
  }, true);

  /* Dialogs: content asked for with hx-target="#dialog-body" opens one; the findings come as a sheet where they are out of sight. */
  function open(dialog) {
    if (dialog.open) { return; }
    dialog.showModal();
    if (!isClosing) { step(dialog); } /* else the step of the one before is being taken back: this one's is made after it */
  }
  /* The step of a dialog that is closed already, and has not been taken back, becomes this one's. */
  function step(dialog) {
    var last = history.state && history.state.dialog, before = last && byId(last), isOver = before && (before === dialog || !before.open);
    history[isOver ? "replaceState" : "pushState"]({ depth: depth(), dialog: dialog.id }, "");
  }
  document.addEventListener("htmx:afterSwap", function (event) { if (event.target.id === "dialog-body") { open(byId("dialog")); } });
  document.addEventListener("close", function (event) {
    if (event.target.tagName !== "DIALOG") { return; }
    if (event.target.id === "sheet") { home.append(byId("findings")); }
    if (!isClosing && history.state && history.state.dialog === event.target.id) {
      var mine = closings += 1;
      isClosing = true;
      history.back();
      setTimeout(function () { if (isClosing && mine === closings) { isLate = true; hasClosed(); } }, LONGEST_STEP);
    }
  }, true);
  function hasClosed() {
    var then = afterwards;
    isClosing = false;
    afterwards = null;
    if (then) { setTimeout(then); }
  }
  /* A page that is asked for while the step of a closed dialog is being taken back would be called off with it. */
  function whenStill(go) {
    var before = afterwards;
    if (!isClosing) { go(); return; }
    afterwards = function () {
      if (before) { before(); }
      go();
    };
  }
  document.addEventListener("click", function (event) {
    var link = event.target.closest("a[href]");
    if (!isClosing || !link || event.ctrlKey || event.metaKey || event.shiftKey) { return; }
    event.preventDefault();
    event.stopImmediatePropagation();
    whenStill(function () { link.click(); });
  }, true);
  document.addEventListener("click", function (event) {
    var sheet = byId("sheet"), findings = byId("findings");
    if (sheet && findings && event.target.closest(".verdict-link")) {
      event.preventDefault();
      if (isInSight(findings)) { findings.scrollTop = 0; findings.focus({ preventScroll: true }); return; }
      home = findings.parentNode;
      sheet.append(findings);
      open(sheet);
    }
    if (sheet && sheet.open && (event.target === sheet || event.target.closest("#findings a[hx-target='#detail'], #findings a[data-culprit]"))) { leaveSheet(event); }
  }, true);
  function isInSight(element) {
    var box = element.getBoundingClientRect();
    return box.height > 0 && box.left >= 0 && box.top >= 0 && box.top < innerHeight / 2;
  }
  /* A finding leads to its unit: the sheet's step is taken back before that step is made. */
  function leaveSheet(event) {
    var sheet = byId("sheet"), link = event.target.closest("a");
    if (link) {
      event.preventDefault();
      event.stopImmediatePropagation();
      afterwards = function () {
        var target = byId(link.dataset.culprit), isCovered = !link.hasAttribute("hx-get") && target && !target.getClientRects().length;
        if (!isCovered || !depth()) { link.click(); return; }
        document.addEventListener("htmx:afterSettle", function () { link.click(); }, { once: true });
        history.go(-depth());
      };
    }
    sheet.close();
  }

  /* Closes a dialog, and does something once its step is taken back. */
  function leave(dialog, what) {
    afterwards = what;
    dialog.close();
  }

  /* A pane that no link leads to; nobody minds when another one is opened before it is here. Two quick steps back ask for two:
     the first is called off, else htmx would keep the second waiting and complain where that is called off in its turn. */
  function ask(path) {
    window.htmx.trigger(document.body, "htmx:abort");
    window.htmx.ajax("GET", path, { target: "#detail", swap: "outerHTML" }).catch(function () { return null; });
  }

  window.places = { ask: ask, open: open, leave: leave, whenStill: whenStill, pane: function () { return pane(location.search); } };
})();

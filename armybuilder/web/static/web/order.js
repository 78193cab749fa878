/* Units are put into an order with a mouse or a finger, by the grip of their row; without it, and without a pointer, the row's menu
   and Alt with an arrow do the same. This file and the library that carries units come when a pointer is first seen on the page
   (edits.js). */
(function () {
  "use strict";
  var carried = null;

  /* A role can be sorted from the moment one of its grips is touched; answers may have replaced it since. */
  ["pointerdown", "mousedown", "touchstart"].forEach(function (kind) {
    document.addEventListener(kind, function (event) {
      var grip = event.target.closest && event.target.closest(".unit__grip"), role = grip && grip.closest(".role");
      if (!role || !window.Sortable || window.Sortable.get(role)) { return; }
      window.Sortable.create(role, {
        draggable: ".unit", handle: ".unit__grip", forceFallback: true, fallbackTolerance: 3, animation: reducesMotion() ? 0 : 120,
        ghostClass: "unit--place", fallbackClass: "unit--carried", onChoose: take, onEnd: drop,
      });
    }, { capture: true, passive: true });
  });
  /* What was held before this was here is held from now on. */
  window.edits.heldGrip().forEach(function (event) { event.target.dispatchEvent(new event.constructor(event.type, event)); });
  function reducesMotion() { return matchMedia("(prefers-reduced-motion: reduce)").matches; }

  /* Before the row is lifted: a copy of it is carried, which would stand behind it. */
  function take(event) { carried = { row: event.item, role: event.from, next: event.item.nextSibling }; }

  /* The same edit as the menu's, from the same form; the answer is to say the order, whatever the page shows by now. */
  function drop(event) {
    var row = event.item, next = nextUnit(row);
    if (!carried || event.oldDraggableIndex === event.newDraggableIndex) { carried = null; return; }
    var query = new URLSearchParams({
      edit: "move", node_id: row.id.slice(5), force_id: event.from.dataset.force, before: next ? next.id.slice(5) : "",
    });
    for (var part = row; part; part = part.parentElement.closest("[data-stamp]")) { part.removeAttribute("data-stamp"); }
    var press = document.createElement("button");
    press.name = "do";
    press.value = query.toString();
    press.className = "hush";
    press.tabIndex = -1;
    press.setAttribute("form", "edits");
    press.setAttribute("aria-hidden", "true");
    row.append(press);
    press.click();
  }
  function nextUnit(row) {
    var next = row.nextElementSibling;
    while (next && !next.matches(".unit")) { next = next.nextElementSibling; }
    return next;
  }

  /* An edit that was lost leaves the units as they were; what was refused is told with the order that holds. */
  function putBack(event) {
    if (event.target.id !== "edits") { return; }
    if (carried) { carried.role.insertBefore(carried.row, carried.next); }
    carried = null;
  }
  ["htmx:sendError", "htmx:timeout", "htmx:responseError"].forEach(function (kind) { document.addEventListener(kind, putBack, true); });
  document.addEventListener("htmx:afterSettle", function (event) { if (event.target.id === "detail") { carried = null; } });
})();

/* The page: marks it as scripted, tells of a lost connection, dismisses toasts, closes dialogs, leads to a finding's unit.
   Pages work without it; `edits.js`, `places.js` and `keys.js` make editing quicker. */
(function () {
  "use strict";
  var root = document.documentElement;
  root.classList.add("js");

  function all(selector, inside) { return Array.prototype.slice.call((inside || document).querySelectorAll(selector)); }

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

  /* What is tapped before the scripts that edit have come waits for them: sent as a plain form, it would load the page anew
     at its top, and the tap after it would be refused. */
  var early = [], isReady = false;
  document.addEventListener("submit", function (event) {
    if (isReady || !event.target.matches("[hx-post]")) { return; }
    event.preventDefault();
    early.push({ form: event.target, button: event.submitter });
  }, true);
  document.addEventListener("DOMContentLoaded", function () {
    isReady = true;
    setTimeout(function () { /* after htmx, which gets ready at the same moment */
      early.splice(0).forEach(function (one) { if (one.form.isConnected) { one.form.requestSubmit(one.button); } });
    });
  });

  /* Language and theme lead back to what is open by then. */
  document.addEventListener("submit", function (event) {
    var next = event.target.closest(".site-tools") && event.target.elements.next;
    if (next && history.state) { next.value = location.pathname + location.search; }
  });

  document.addEventListener("DOMContentLoaded", function () {
    all("#toasts .toast").forEach(dismissLater);
    all("[data-select-all]").forEach(selectAll);
    sendable(document);
  });

  /* The browser's own way to paper, too, prints the sheet of a list and not the page it is built on. It waits for nothing,
     so the sheet is asked for at once; where it does not come, the roll is printed. */
  window.addEventListener("beforeprint", function () {
    var link = document.querySelector("a[data-key='print']"), ask = new XMLHttpRequest();
    if (!link) { return; }
    try { ask.open("GET", link.href, false); ask.send(); } catch { return; }
    var sheet = ask.status === 200 && new window.DOMParser().parseFromString(ask.responseText, "text/html").querySelector("main");
    if (!sheet) { return; }
    var paper = document.createElement("div");
    paper.className = "paper";
    paper.append.apply(paper, Array.from(sheet.children));
    document.body.append(paper);
  });
  window.addEventListener("afterprint", function () { all(".paper").forEach(function (paper) { paper.remove(); }); });

  function sendable(place) { all("[data-send]", place).forEach(function (sender) { sender.hidden = !navigator.share; }); }
  function selectAll(field) { field.addEventListener("focus", function () { field.select(); }); }

  document.addEventListener("htmx:load", function (event) {
    all("#toasts .toast").forEach(dismissLater);
    all("[data-select-all]", event.target).forEach(selectAll);
    sendable(event.target);
    all("form[role='search'][hx-get] input[type='search']", event.target).forEach(searchTyped);
  });

  /* Rows of chips stay where they were scrolled to, and show the one that is chosen. */
  var scrolled = {}, MARGIN = 16;
  document.addEventListener("htmx:beforeSwap", function () {
    all(".chips--row").forEach(function (row) { scrolled[row.getAttribute("aria-label")] = row.scrollLeft; });
  });
  document.addEventListener("htmx:load", function (event) {
    all(".chips--row", event.target).forEach(function (row) {
      var chosen = row.querySelector("[aria-current]");
      row.scrollLeft = scrolled[row.getAttribute("aria-label")] || 0;
      if (!chosen) { return; }
      var chip = chosen.getBoundingClientRect(), frame = row.getBoundingClientRect();
      row.scrollLeft += Math.min(0, chip.left - MARGIN - frame.left) + Math.max(0, chip.right + MARGIN - frame.right);
    });
  });

  /* A search asks while it is typed. That its field is left tells nothing new: the answer would only put other rows under
     the finger that has just left it for one of them, and the tap would be lost. */
  document.addEventListener("change", function (event) {
    if (event.target.matches("form[role='search'][hx-get] input[type='search']")) { event.stopPropagation(); }
  }, true);

  /* What was typed before htmx had heard of the field is searched for, too. */
  function searchTyped(field) { if (field.value !== field.defaultValue) { window.htmx.trigger(field.form, "change"); } }

  document.addEventListener("htmx:sendError", function (event) { if (!event.detail.isTold && !asksAgain(event)) { say(asksOnly(event) ? "say-needs-line" : "say-unreachable"); } });
  document.addEventListener("htmx:responseError", function (event) { if (!event.detail.isTold && !asksAgain(event)) { say("say-failed"); } });

  /* The link that Share asks for changes nothing of the list. */
  function asksOnly(event) { return event.detail.requestConfig && (event.detail.requestConfig.verb === "get" || event.detail.elt.id === "share-now"); }

  /* A part that asks for itself again and again says that it does so while the server is away; its next answer is without it. */
  function asksAgain(event) {
    if (event.detail.elt && event.detail.elt.matches(".finding__chip")) { return isAskedLater(event); } /* the page asks for it by itself */
    var notice = event.detail.elt && event.detail.elt.querySelector("[data-while-away]");
    if (!notice || (event.type === "htmx:responseError" && event.detail.xhr.status < 500)) { return false; }
    notice.hidden = false;
    return true;
  }

  /* What is offered beside a finding, when the server has too much of that to do, or the line is away. */
  function isAskedLater(event) {
    var place = event.detail.elt, seconds = event.type === "htmx:responseError" && event.detail.xhr.status === 503 && event.detail.xhr.getResponseHeader("Retry-After");
    if (seconds) { setTimeout(function () { if (place.isConnected) { window.htmx.trigger(place, "again"); } }, 1000 * Number(seconds)); }
    return Boolean(seconds) || event.type === "htmx:sendError";
  }

  document.addEventListener("click", function (event) {
    var closer = event.target.closest("[data-close]");
    if (closer) {
      var dialog = closer.closest("dialog"), toast = closer.closest(".toast");
      if (dialog) { event.preventDefault(); dialog.close(); }
      if (toast) { toast.remove(); }
    }
    if (event.target.id === "dialog" && event.target.open) { event.target.close(); }
    var copier = event.target.closest("[data-copy]"), sender = event.target.closest("[data-send]");
    if (copier && navigator.clipboard) {
      var source = document.getElementById(copier.dataset.copy);
      navigator.clipboard.writeText(source.value || source.textContent).then(function () { tellCopied(copier); }, function () {
        if (source.select) { source.select(); } else { window.getSelection().selectAllChildren(source); } /* to be copied by hand */
      });
    }
    if (sender) { send(sender); }
    if (event.target.closest("[data-print]")) { window.print(); }
    var star = event.target.closest("[data-star]");
    if (star) { like(star); }
    var filler = event.target.closest("[data-fills]");
    if (filler) { document.getElementById(filler.dataset.fills).value = filler.value; }
    var opened = event.target.closest("[data-unit]");
    if (opened) {
      all(".unit--open").forEach(function (row) { row.classList.remove("unit--open"); });
      opened.parentNode.classList.add("unit--open");
    }
    /* A finding's link: open the pane of the unit, then bring it into view. */
    var culprit = event.target.closest("[data-culprit]");
    if (culprit) { flash(culprit.dataset.culprit); }
    var opens = event.target.closest(".menu__list [hx-get]"); /* what a menu leads to on the same page stands there without it */
    all("details.menu[open]").forEach(function (menu) { if (opens || !menu.contains(event.target)) { menu.open = false; } });
    var opener = event.target.closest("details.menu > summary");
    if (opener) { requestAnimationFrame(function () { unfold(opener.parentNode); }); }
  });

  /* A menu unfolds upwards where it has no room below, and is brought into view where it has none above either. */
  function unfold(menu) {
    var tools = menu.querySelector(".menu__list"), dock = document.querySelector(".dock"), bar = document.querySelector(".army-bar");
    menu.classList.remove("menu--up");
    if (!menu.open || !tools) { return; }
    var floor = window.innerHeight - (dock ? dock.offsetHeight : 0), roof = bar && !bar.contains(menu) ? bar.getBoundingClientRect().bottom : 0;
    if (tools.getBoundingClientRect().bottom <= floor) { return; }
    menu.classList.toggle("menu--up", menu.getBoundingClientRect().top - tools.offsetHeight > roof);
    if (!menu.matches(".menu--up")) { tools.scrollIntoView({ block: "nearest" }); }
  }
  function tellCopied(copier) {
    var label = copier.querySelector("[data-done]");
    if (label) { label.textContent = label.dataset.done; }
  }
  function send(sender) {
    return navigator.share({ title: sender.dataset.title, url: document.getElementById(sender.dataset.send).value }).catch(function () {});
  }

  /* The tap on Share hands the usual link on at once: on a phone to its own ways of sending, elsewhere to the clipboard. A
     clipboard takes what was promised it while the finger was felt: the address is promised then, and given when it has come. */
  var give = null, isGiven = null;
  function sendsItself() { return Boolean(navigator.share) && matchMedia("(pointer: coarse)").matches; }
  document.addEventListener("submit", function (event) {
    if (event.target.id !== "share-now" || sendsItself() || !window.ClipboardItem || !navigator.clipboard) { return; }
    var address = new Promise(function (resolve, reject) { give = { resolve: resolve, reject: reject }; });
    var text = address.then(function (words) { return new window.Blob([words], { type: "text/plain" }); });
    text.catch(function () {});
    try { isGiven = navigator.clipboard.write([new window.ClipboardItem({ "text/plain": text })]); } catch { isGiven = null; }
    if (isGiven) { isGiven.catch(function () {}); }
  });
  document.addEventListener("htmx:afterSwap", function (event) {
    var copier = event.target.id === "dialog-body" && event.target.querySelector("[data-handed-on]");
    if (!copier) { return; }
    if (sendsItself()) { send(copier.parentNode.querySelector("[data-send]")); return; }
    if (!give || !isGiven) { copier.click(); return; }
    isGiven.then(function () { tellCopied(copier); }, function () {});
    give.resolve(document.getElementById(copier.dataset.copy).value);
    give = null;
  });
  document.addEventListener("htmx:afterRequest", function (event) {
    if (give && event.detail.elt.id === "share-now" && !event.detail.successful) {
      give.reject(new Error("no address"));
      give = null;
    }
  });

  /* What was asked for and has not come yet is said after a moment, above whatever is open. Searches and what the page asks
     for by itself only have a line above them. */
  var asked = 0, saying = 0, SOON = 400;
  document.addEventListener("htmx:beforeRequest", function (event) {
    var target = event.detail.target, cause = event.detail.requestConfig.triggeringEvent;
    var isMeant = Boolean(cause) && /^(click|submit)$/.test(cause.type) && target.id !== "offers";
    target.classList.add("is-awaited");
    asked += isMeant;
    root.classList.toggle("is-asking", asked > 0);
    event.detail.xhr.addEventListener("loadend", function () {
      target.classList.remove("is-awaited");
      asked -= isMeant;
      root.classList.toggle("is-asking", asked > 0);
    });
  });
  new window.MutationObserver(function () {
    var pill = document.querySelector(".saving"), isWaiting = root.matches(".is-busy, .is-asking");
    if (!pill || !pill.showPopover || isWaiting === Boolean(saying)) { return; }
    clearTimeout(saying);
    saying = isWaiting ? setTimeout(function () { pill.showPopover(); }, SOON) : 0;
    if (!isWaiting && pill.matches(":popover-open")) { pill.hidePopover(); }
  }).observe(root, { attributes: true, attributeFilter: ["class"] });

  /* Favourites are a matter of this browser: their keys stand in a cookie that the add screen reads. */
  function favourites() {
    var held = /(?:^|; )favourites=([^;]*)/.exec(document.cookie);
    return held && held[1] ? held[1].split(".") : [];
  }
  function like(star) {
    var keys = favourites(), key = star.dataset.star, isLiked = keys.indexOf(key) < 0;
    keys = isLiked ? keys.concat(key).slice(-300) : keys.filter(function (one) { return one !== key; });
    document.cookie = "favourites=" + keys.join(".") + "; path=/; max-age=31536000; samesite=lax" + (location.protocol === "https:" ? "; secure" : "");
    star.setAttribute("aria-pressed", String(isLiked));
  }
  /* An answer that was on its way when a star was tapped does not know of it. */
  document.addEventListener("htmx:afterSettle", function () {
    var stars = all("[data-star]"), keys = stars.length ? favourites() : [];
    stars.forEach(function (star) { star.setAttribute("aria-pressed", String(keys.indexOf(star.dataset.star) >= 0)); });
  });

  function plain(text) {
    return text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/[’ʼ`]/g, "'").replace(/&/g, "and");
  }

  /* A search field above a choice leaves the options whose words begin as its words do, or else hold them anywhere;
     where none does, all stay and it is said. The choice keeps one of them. */
  document.addEventListener("input", function (event) {
    var choice = event.target.dataset.narrows && document.getElementById(event.target.dataset.narrows);
    if (!choice) { return; }
    choice.known = choice.known || all("option", choice);
    var words = plain(event.target.value).split(/\s+/).filter(Boolean), chosen = choice.value;
    function found(before) {
      return choice.known.filter(function (option) {
        var text = before + plain(option.textContent);
        return words.every(function (word) { return text.indexOf(before + word) >= 0; });
      });
    }
    var fitting = [found(" "), found("")].filter(function (some) { return some.length; })[0];
    choice.replaceChildren.apply(choice, fitting || choice.known);
    var none = document.getElementById(event.target.getAttribute("aria-describedby"));
    if (none) { none.hidden = Boolean(fitting); }
    choice.value = chosen;
    if (choice.selectedIndex < 0) { choice.selectedIndex = 0; }
  });
  function flash(id) {
    var row = document.getElementById(id);
    if (!row) { return; }
    row.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    row.classList.remove("is-culprit");
    requestAnimationFrame(function () { row.classList.add("is-culprit"); });
  }
})();

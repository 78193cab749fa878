/* Keys: digits and + - on a count, Ctrl+Z and Ctrl+Shift+Z or Ctrl+Y, Ctrl+P for the sheet, arrows in a choice, Escape for menus;
   / for the search of a page, Ctrl+K for the palette, which goes to pages, lists and units, adds units and presses the page's tools. */
(function () {
  "use strict";
  function typing(element) {
    return element && (element.isContentEditable || /^(TEXTAREA|SELECT)$/.test(element.tagName) ||
      (element.tagName === "INPUT" && !/^(checkbox|radio|button|submit|number)$/.test(element.type)));
  }

  /* The palette: pages, tools of this page, units of the roll, one's lists, and units that can be added. */
  var palette = null, field = null, found = null, asked = 0, timer = 0, awaited = 0, meant = 0;

  function labelOf(element) { return (element.getAttribute("aria-label") || element.textContent).replace(/\s+/g, " ").trim(); }
  function fits(text, words) {
    var small = text.toLowerCase();
    return words.every(function (word) { return small.indexOf(word) >= 0; });
  }
  function presses(element) { return function () { element.click(); }; }
  function goes(address) { return function () { location.assign(address); }; }

  /* What is on the page already: its tools, its units, and the pages of the site. */
  function known() {
    var lines = [], told = {};
    document.querySelectorAll("[data-key], .army-bar .menu__list > :is(a, button), #b-settle-all").forEach(function (tool) {
      var label = labelOf(tool);
      if (tool.disabled || tool.dataset.key === "search" || told[label]) { return; }
      told[label] = true;
      lines.push({ label: label, kind: palette.dataset.do, act: presses(tool) });
    });
    document.querySelectorAll("#army .unit__open").forEach(function (row) {
      lines.push({ label: labelOf(row.querySelector(".unit__name") || row), kind: palette.dataset.go, act: presses(row) });
    });
    palette.querySelector("template").content.querySelectorAll("a").forEach(function (link) {
      lines.push({ label: link.textContent, kind: palette.dataset.go, act: goes(link.getAttribute("href")) });
    });
    return lines;
  }
  function show(lines, isMore) {
    var place = isMore ? Array.prototype.indexOf.call(found.children, found.querySelector("[aria-selected]")) : 0; /* more come below */
    found.replaceChildren();
    lines.slice(0, 40).forEach(function (line, number) {
      var item = document.createElement("li"), kind = document.createElement("small");
      item.id = "palette-" + number;
      item.className = "palette__line";
      item.setAttribute("role", "option");
      item.textContent = line.label;
      kind.textContent = line.kind;
      item.append(kind);
      item.act = line.act;
      found.append(item);
    });
    choose(found.children[Math.max(place, 0)]);
    tell();
    if (meant === asked && palette.open && found.firstElementChild) { meant = 0; carryOut(found.firstElementChild); }
  }
  /* That something is still looked for, or that there is nothing. */
  function tell() {
    var word = palette.querySelector(".palette__none");
    word.textContent = found.firstElementChild ? "" : awaited ? word.dataset.wait : word.dataset.none;
  }
  function choose(item) {
    found.querySelectorAll("[aria-selected]").forEach(function (other) { other.removeAttribute("aria-selected"); });
    field.setAttribute("aria-activedescendant", item ? item.id : "");
    if (item) { item.setAttribute("aria-selected", "true"); item.scrollIntoView({ block: "nearest" }); }
  }
  function carryOut(item) { if (item) { window.places.leave(palette, item.act); } }

  /* A part of the site that answers with what was searched for. */
  function partOf(address) {
    return fetch(address, { headers: { "HX-Request": "true" }, credentials: "same-origin" }).then(function (reply) {
      return reply.ok ? reply.text() : "";
    }).catch(function () { return ""; }).then(function (text) { return new window.DOMParser().parseFromString(text, "text/html"); });
  }
  /* Adds as the + of the add screen does: the same button, which belongs to the form of all edits. */
  function adds(button) {
    return function () {
      var press = document.importNode(button, true);
      press.hidden = true;
      document.body.append(press);
      window.htmx.process(press);
      press.click();
      press.remove();
    };
  }
  function ask(words) {
    var number = ++asked, add = document.querySelector("[data-key='add']"), lines = known().filter(function (line) { return fits(line.label, words); });
    awaited = words.length ? (add ? 2 : 1) : 0;
    show(lines);
    if (!words.length) { return; }
    var query = encodeURIComponent(words.join(" "));
    if (add) {
      partOf(add.getAttribute("hx-get") + "&q=" + query).then(function (part) {
        if (number !== asked) { return; }
        part.querySelectorAll(".offer").forEach(function (offer) {
          var press = offer.querySelector(".offer__add"), name = offer.querySelector(".offer__name");
          if (press && name && !press.disabled) { lines.push({ label: labelOf(name), kind: palette.dataset.add, act: adds(press) }); }
        });
        awaited -= 1;
        show(lines, true);
      });
    }
    partOf("/lists/?q=" + query).then(function (part) {
      if (number !== asked) { return; }
      part.querySelectorAll(".list-row__name a").forEach(function (link) {
        lines.push({ label: link.textContent, kind: palette.dataset.list, act: goes(link.getAttribute("href")) });
      });
      awaited -= 1;
      show(lines, true);
    });
  }
  function answer() {
    timer = 0;
    ask(field.value.toLowerCase().split(/\s+/).filter(Boolean));
  }
  function openPalette() {
    palette = document.getElementById("palette");
    if (!palette || document.querySelector("dialog[open]")) { return; }
    field = palette.querySelector("input");
    found = palette.querySelector("ul");
    field.value = "";
    ask([]);
    window.places.open(palette);
    field.focus();
  }
  document.addEventListener("input", function (event) {
    if (!palette || event.target !== field) { return; }
    clearTimeout(timer);
    timer = setTimeout(answer, 120);
  });
  document.addEventListener("click", function (event) {
    if (!palette || !palette.open) { return; }
    if (event.target === palette) { palette.close(); return; }
    carryOut(event.target.closest(".palette__line"));
  });
  function steer(event) {
    if (timer && event.key === "Enter") { clearTimeout(timer); answer(); } /* whoever types quickly means the words typed */
    var chosen = found.querySelector("[aria-selected]");
    var isLeft = event.key === "Escape" || ((event.ctrlKey || event.metaKey) && letterOf(event) === "k");
    if (isLeft) { event.preventDefault(); palette.close(); } /* by itself, Escape would only empty the field */
    if (event.key === "Enter") {
      event.preventDefault();
      if (chosen) { carryOut(chosen); } else if (awaited) { meant = asked; } /* done as soon as it is found */
    }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      var next = chosen && (event.key === "ArrowDown" ? chosen.nextElementSibling : chosen.previousElementSibling);
      choose(next || (event.key === "ArrowDown" ? found.firstElementChild : found.lastElementChild));
    }
  }

  /* To the search of this page; where there is none, to the palette. */
  function seek() {
    var search = document.querySelector("[data-key='search']");
    if (search) { search.focus(); search.select(); } else { openPalette(); }
  }
  function tellKeys() {
    var told = document.getElementById("say-keys"), body = document.getElementById("dialog-body");
    if (!told || document.querySelector("dialog[open]")) { return; }
    body.replaceChildren(told.content.cloneNode(true));
    window.places.open(document.getElementById("dialog"));
  }

  /* The page stays as it is, with the focus where it was: site.js lays the sheet over it while it is printed. */
  function printSheet() { window.edits.whenDone(function () { window.places.whenStill(function () { window.print(); }); }); }

  /* A number that is being typed: what stood there, and where the keys came from, for whoever thinks better of it. */
  var typed = null;
  function typeNumber(number, here) {
    typed = { number: number, before: number.value, from: here };
    number.focus();
    number.select(); /* the key itself then writes over what is there, so that the browser knows of a change */
  }
  function takeBack(here) {
    if (!typed || here !== typed.number) { return; }
    here.value = typed.before;
    if (typed.from && typed.from.isConnected) { typed.from.focus({ preventScroll: true }); }
    typed = null;
  }
  document.addEventListener("change", function () { typed = null; });

  /* Keys are known by where they lie wherever the layout writes no Latin letters: Ctrl+Я is Ctrl+Z, Ctrl+Л is Ctrl+K,
     and the key of the stroke, which writes a full stop in Russian, is the stroke. */
  function letterOf(event) {
    var isNamed = /^Key[A-Z]$/.test(event.code), isLatin = /^[a-z]$/i.test(event.key);
    return isNamed && !isLatin ? event.code.slice(3).toLowerCase() : event.key.toLowerCase();
  }
  function signOf(event) {
    if (event.code !== "Slash") { return event.key; }
    return { ".": "/", ",": "?" }[event.key] || event.key;
  }

  /* What has the focus: a field that was closed with its dialog keeps it until the browser draws again. */
  function focused() {
    var here = document.activeElement;
    return here && here.getClientRects().length ? here : document.body;
  }

  document.addEventListener("keydown", function (event) {
    var here = focused(), stepper = here && here.closest && here.closest(".stepper");
    if (palette && palette.open) { steer(event); return; }
    if (event.key === "Escape") {
      document.querySelectorAll("details.menu[open]").forEach(function (menu) {
        if (menu.contains(here)) { menu.querySelector("summary").focus(); }
        menu.open = false;
      });
      takeBack(here);
      return;
    }
    if (event.altKey) {
      var row = here && here.closest && here.closest("#army .unit"), steps = { ArrowUp: "-1", ArrowDown: "1" };
      var carry = row && steps[event.key] && row.querySelector("[data-move='" + steps[event.key] + "']");
      if (carry) { event.preventDefault(); carry.click(); }
      return;
    }
    if (event.ctrlKey || event.metaKey) {
      var letter = letterOf(event), sheet = document.querySelector("a[data-key='print']");
      if (letter === "k" && !event.shiftKey) { event.preventDefault(); openPalette(); return; }
      if (letter === "p" && !event.shiftKey && sheet) { event.preventDefault(); printSheet(); return; }
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
    if (signOf(event) === "/") { event.preventDefault(); seek(); return; }
    if (signOf(event) === "?") { tellKeys(); return; }
    /* Counts: in a stepper, or the first of the unit's models while its row or nothing has the focus. */
    var isOnUnit = here === document.body || here.id === "detail" || here.matches(".unit--open .unit__open");
    var unit = isOnUnit && document.querySelector("#detail:not(.hero)");
    var box = stepper || (unit ? unit.querySelector("[data-models] .stepper") || unit.querySelector(".stepper") : null);
    if (!box) { return; }
    if (event.key === "+" || event.key === "=" || event.key === "-") {
      var press = box.querySelector(event.key === "-" ? "[data-step='-1']" : "[data-step='1']");
      if (press && !press.disabled) { event.preventDefault(); press.click(); }
    } else if (/^[0-9]$/.test(event.key) && here.tagName !== "INPUT") {
      var number = box.querySelector("input[type='number']");
      if (number) { typeNumber(number, here); }
    }
  });
})();

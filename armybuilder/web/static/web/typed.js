/* A list as text: names that go on with the words at the cursor. Tab takes the first; the server knows the names. */
(function () {
  "use strict";
  var text = null, words = null, timer = 0, asked = 0;
  var BULLET = /^\s*(?:[•◦▪●○·*–—-]\s*)(?:\d+\s*[xх×]\s*)?/, COUNT = /^\s*(?:\d+\s*[xх×]\s*)?/;

  function lineAt(place) {
    var start = text.value.lastIndexOf("\n", place - 1) + 1;
    return { start: start, words: text.value.slice(start, place) };
  }
  function unitAbove(start) {
    var lines = text.value.slice(0, start).split("\n").reverse();
    return lines.find(function (line) { return line.trim() && !BULLET.test(line) && line[0] !== "+"; }) || "";
  }
  /* Where the words begin that are being typed, and the unit whose options they are; null where nothing is named. */
  function typing() {
    var line = lineAt(text.selectionStart), isOption = BULLET.test(line.words);
    if (line.words[0] === "+" || text.selectionStart !== text.selectionEnd) { return null; }
    var mark = line.words.match(isOption ? BULLET : COUNT)[0];
    return { from: line.start + mark.length, words: line.words.slice(mark.length), unit: isOption ? unitAbove(line.start) : "" };
  }
  function ask() {
    var now = typing(), mine = ++asked;
    if (!now || now.words.trim().length < 2) { words.replaceChildren(); return; }
    fetch(text.dataset.words + "?" + new URLSearchParams({ words: now.words, unit: now.unit }), { headers: { "HX-Request": "true" } })
      .then(function (answer) { return answer.ok ? answer.text() : ""; })
      .then(function (html) { if (mine === asked) { words.innerHTML = html; } })
      .catch(function () { words.replaceChildren(); });
  }
  function take(name) {
    var now = typing();
    if (!now) { return; }
    text.setRangeText(name, now.from, text.selectionStart, "end");
    words.replaceChildren();
    text.focus();
    text.dispatchEvent(new Event("input", { bubbles: true }));
  }

  document.addEventListener("DOMContentLoaded", function () {
    text = document.getElementById("typed-text");
    words = document.getElementById("typed-words");
    if (!text) { return; }
    text.addEventListener("input", function () { clearTimeout(timer); timer = setTimeout(ask, 150); });
    text.addEventListener("keydown", function (event) {
      var first = words.querySelector("[data-word]");
      if (event.key === "Tab" && !event.shiftKey && first) { event.preventDefault(); take(first.dataset.word); }
      if (event.key === "Escape") { words.replaceChildren(); }
    });
    words.addEventListener("click", function (event) {
      var word = event.target.closest("[data-word]");
      if (word) { take(word.dataset.word); }
    });
  });
})();

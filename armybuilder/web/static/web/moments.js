/* Moments: beside a time of the site's zone stands what the reader's clock says then, where that is something else. */
(function () {
  "use strict";
  document.addEventListener("DOMContentLoaded", function () {
    document.querySelectorAll("time[data-here]").forEach(function (time) {
      var at = new Date(time.dateTime);
      var zone = /([+-])(\d\d):(\d\d)$/.exec(time.dateTime);
      if (!zone || Number(zone[1] + "1") * (60 * Number(zone[2]) + Number(zone[3])) === -at.getTimezoneOffset()) { return; }
      var words = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang; // as the site writes dates
      var own = new Intl.DateTimeFormat(words, { dateStyle: "long", timeStyle: "short" });
      time.after(", " + time.dataset.here.replace("%s", own.format(at)));
    });
  });
})();

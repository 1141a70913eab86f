// Counts down, and loads the page anew when the order has moved. Without it the page does so every
// few seconds.
(function () {
  var clock = document.querySelector("time[data-until]");
  function tick() {
    var left = Math.max(0, Math.round((Date.parse(clock.dataset.until) - Date.now()) / 1000));
    var seconds = left % 60;
    clock.textContent = Math.floor(left / 60) + ":" + (seconds < 10 ? "0" : "") + seconds;
  }
  if (clock) setInterval(tick, 1000);

  var page = document.querySelector("main[data-version]");
  if (!page || !window.EventSource) return;
  var seen = Number(page.dataset.version);
  var source = new EventSource(location.pathname + "/events");
  source.addEventListener("order", function (event) {
    if (Number(event.lastEventId) > seen) {
      source.close();
      location.reload();
    }
  });
  source.addEventListener("end", function () {
    source.close();
  });
})();

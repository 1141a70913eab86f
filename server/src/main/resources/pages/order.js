// Loads the page anew when the order has moved. Without it the page does so every few seconds.
(function () {
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

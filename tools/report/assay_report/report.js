// SPDX-License-Identifier: Apache-2.0
// Draws the charts of a report when they come into view, all of them before printing.
(function () {
  "use strict";
  const plots = Array.from(document.querySelectorAll(".plot"));
  const options = {responsive: true, displaylogo: false, modeBarButtonsToRemove: ["select2d", "lasso2d"]};

  function draw(plot) {
    if (plot.dataset.drawn) return Promise.resolve();
    plot.dataset.drawn = "begun";
    const figure = JSON.parse(document.getElementById(plot.dataset.figure).textContent);
    return Plotly.newPlot(plot, figure.data, figure.layout, options).then(function () {
      plot.dataset.drawn = "yes";
    }, function (error) {
      plot.dataset.drawn = "failed";
      plot.textContent = "This chart could not be drawn: " + error;
      console.error(error);
    });
  }

  // A card that is opened has more room: its charts take it.
  const sizes = "ResizeObserver" in window ? new ResizeObserver(function (entries) {
    for (const entry of entries) if (entry.target.dataset.drawn === "yes" && entry.target.offsetParent) Plotly.Plots.resize(entry.target);
  }) : null;
  if (sizes) plots.forEach(function (plot) { sizes.observe(plot); });

  // A permanent link leads into what is folded.
  function unfold() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let one = target; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
    if (target) target.scrollIntoView();
  }
  window.addEventListener("hashchange", unfold);
  if (location.hash) unfold();

  const drawAll = function () { return Promise.all(plots.map(draw)); };

  if ("IntersectionObserver" in window) {
    const observer = new IntersectionObserver(function (entries) {
      for (const entry of entries) if (entry.isIntersecting) { observer.unobserve(entry.target); draw(entry.target); }
    }, {rootMargin: "600px"});
    plots.forEach(function (plot) { observer.observe(plot); });
  } else {
    drawAll();
  }
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("details").forEach(function (one) { one.open = true; });
    drawAll();
  });
  window.assayReport = {drawAll: drawAll, plots: plots.length};
})();

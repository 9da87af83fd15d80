/* Loads the page of a run that goes on anew, and shows it as it was left: place, folds, machine. Not while nobody looks, nor
 * while text is marked. When the run is over it only does the second. */
(function () {
  'use strict';
  var every = 1000 * Number(document.currentScript.dataset.every), key = 'orrery ' + location.pathname;
  /* Folds by what their heads say without numbers, and which of those it is. */
  function folds() {
    var seen = new Map();
    return Array.from(document.querySelectorAll('details')).map(function (fold) {
      var name = fold.id || fold.querySelector('summary').textContent.replace(/[0-9]+/g, '#');
      seen.set(name, (seen.get(name) || 0) + 1);
      return [name + ' ' + seen.get(name), fold];
    });
  }
  function keep() {
    var tab = document.querySelector('.tabs button[aria-selected=true]');
    var open = folds().filter(function (f) { return f[1].open; }).map(function (f) { return f[0]; });
    try {
      sessionStorage.setItem(key, JSON.stringify({ y: scrollY, open: open, machine: tab && tab.dataset.machine }));
    } catch (e) { /* without storage it begins at the top */ }
  }
  function restore() {
    var kept = null;
    try { kept = JSON.parse(sessionStorage.getItem(key)); sessionStorage.removeItem(key); } catch (e) { /* as above */ }
    if (!kept) return;
    folds().forEach(function (f) { f[1].open = kept.open.includes(f[0]); });
    var tab = Array.from(document.querySelectorAll('.tabs button')).find(function (b) { return b.dataset.machine === kept.machine; });
    if (tab) tab.click();
    scrollTo(0, kept.y);
  }
  function reload() {
    if (document.hidden || String(getSelection())) return;
    keep();
    location.reload();
  }
  if ('scrollRestoration' in history) history.scrollRestoration = 'manual';
  window.addEventListener('load', restore);
  if (every) setInterval(reload, every);
})();

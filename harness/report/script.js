/* Tabs of machines, chosen for the whole page; what a link leads to is folded out; all of it is, for printing. The page is
 * complete without. */
(function () {
  'use strict';
  var root = document.documentElement;
  root.classList.add('scripted');
  function choose(machine) {
    document.querySelectorAll('.of-many').forEach(function (group) {
      var panels = Array.from(group.querySelectorAll('.panel'));
      var one = panels.find(function (p) { return p.dataset.machine === machine; }) ||
        panels.find(function (p) { return !p.classList.contains('behind'); }) || panels[0];
      panels.forEach(function (p) { p.classList.toggle('behind', p !== one); });
      group.querySelectorAll('.tabs button').forEach(function (b) {
        b.setAttribute('aria-selected', String(b.dataset.machine === one.dataset.machine));
      });
    });
  }
  function reveal() {
    var aim = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!aim) return;
    var panel = aim.closest('.panel');
    if (panel) choose(panel.dataset.machine);
    for (var e = aim; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
    aim.scrollIntoView();
  }
  document.addEventListener('click', function (event) {
    var button = event.target.closest('.tabs button');
    if (!button) return;
    var before = button.getBoundingClientRect().top;
    choose(button.dataset.machine);
    window.scrollBy(0, button.getBoundingClientRect().top - before);
  });
  document.querySelectorAll('.of-many').forEach(function (group) {
    group.querySelectorAll('.panel').forEach(function (p, k) { p.classList.toggle('behind', k > 0); });
  });
  choose('');
  window.addEventListener('hashchange', reveal);
  reveal();
  var folded = [];
  window.addEventListener('beforeprint', function () {
    folded = Array.from(document.querySelectorAll('details:not([open])'));
    folded.forEach(function (d) { d.open = true; });
  });
  window.addEventListener('afterprint', function () { folded.forEach(function (d) { d.open = false; }); });
})();

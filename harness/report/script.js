/* SPDX-License-Identifier: MIT */
/* What a link leads to is folded out; all of it is, for printing; points of a figure tell their cells. The pages are complete
 * without. */
(function () {
  'use strict';
  var root = document.documentElement;
  function reveal() {
    var aim = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!aim) return;
    for (var e = aim; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
    aim.scrollIntoView();
  }
  window.addEventListener('hashchange', reveal);
  reveal();
  /* What gnuplot hands to a script of its own stands on a card beside the point, also where nothing hovers: a tap does as well. */
  document.querySelectorAll('.figure [onmousemove]').forEach(function (point) {
    point.dataset.told = point.getAttribute('onmousemove').replace(/^.*?'|'\)$/g, '');
    point.classList.add('point');
    point.removeAttribute('onmousemove');
    point.removeAttribute('onmouseout');
  });
  document.querySelectorAll('.figure svg g > title').forEach(function (title) { title.remove(); }); /* else the browser shows them, too */
  var card = document.body.appendChild(Object.assign(document.createElement('div'), { className: 'card', hidden: true }));
  function tell(event) {
    var point = event.target.closest && event.target.closest('.figure .point');
    card.hidden = !point;
    if (!point) return;
    card.textContent = '';
    point.dataset.told.split('; ').forEach(function (line) {
      card.append(Object.assign(document.createElement('div'), { textContent: line }));
    });
    var at = point.getBoundingClientRect(), room = root.clientWidth - card.offsetWidth - 4;
    card.style.left = Math.max(4, Math.min(at.right + 8, room)) + 'px';
    card.style.top = (at.bottom + card.offsetHeight + 8 > window.innerHeight ? at.top - card.offsetHeight - 8 : at.bottom + 8) + 'px';
  }
  document.addEventListener('pointerover', tell);
  document.addEventListener('scroll', function () { card.hidden = true; }, true);
  var folded = [];
  window.addEventListener('beforeprint', function () {
    folded = Array.from(document.querySelectorAll('details:not([open])'));
    folded.forEach(function (d) { d.open = true; });
  });
  window.addEventListener('afterprint', function () { folded.forEach(function (d) { d.open = false; }); });
})();

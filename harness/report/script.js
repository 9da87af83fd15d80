/* What a link leads to is folded out; all of it is, for printing; lines of a figure are hidden, and its points tell their cells. The
 * pages are complete without. */
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
  /* A button a line of each drawing hides it; gnuplot groups what belongs to a line under its title. */
  document.querySelectorAll('.figure.full svg').forEach(function (drawing) {
    var lines = new Map();
    drawing.querySelectorAll('g[id*=_plot_] > title').forEach(function (title) {
      var name = title.textContent.replace(/ [\d.]+ %$/, ''); /* of its roof */
      if (/^gnuplot_plot_/.test(name)) return;
      if (!lines.has(name)) lines.set(name, []);
      lines.get(name).push(title.parentElement);
    });
    var most = Math.max.apply(null, Array.from(lines.values(), function (parts) { return parts.length; }));
    lines.forEach(function (parts, name) { if (most > 1 && parts.length === 1) lines.delete(name); }); /* only in the key */
    if (lines.size < 2) return;
    /* The name at the end of a line may be broken, or be followed by its share of a roof. */
    var bare = function (text) { return text.replace(/ [\d.]+ %$/, '').replace(/\s/g, ''); };
    var named = new Map(Array.from(lines.keys(), function (name) { return [bare(name), name]; }));
    var texts = Array.from(drawing.querySelectorAll('g > text'));
    texts.forEach(function (text, first) {
      for (var last = first, all = ''; last < first + 4 && last < texts.length; last++) {
        all += bare(texts[last].textContent);
        if (named.has(all)) {
          Array.prototype.push.apply(lines.get(named.get(all)), texts.slice(first, last + 1));
          break;
        }
      }
    });
    lines.forEach(function (parts) {
      parts.forEach(function (part) {
        var title = part.querySelector(':scope > title');
        if (title) title.remove(); /* else it would cover what the points say */
      });
    });
    var fold = document.createElement('details'), row = document.createElement('div');
    fold.className = 'lines';
    fold.open = window.innerWidth > 900;
    fold.append(Object.assign(document.createElement('summary'), { textContent: 'Lines: show or hide' }), row);
    lines.forEach(function (parts, name) {
      var button = document.createElement('button');
      var inked = parts[0].querySelector('path[stroke], use[color]');
      button.type = 'button';
      button.textContent = name;
      button.setAttribute('aria-pressed', 'true');
      if (inked) button.style.borderLeftColor = getComputedStyle(inked)[inked.hasAttribute('color') ? 'color' : 'stroke'];
      button.addEventListener('click', function () {
        var shown = button.getAttribute('aria-pressed') !== 'true';
        button.setAttribute('aria-pressed', String(shown));
        parts.forEach(function (part) { part.style.display = shown ? '' : 'none'; });
      });
      row.append(button);
    });
    drawing.parentElement.after(fold);
  });
  /* What a point tells stands on a card beside it, also where nothing hovers: a tap does as well. */
  var card = document.body.appendChild(Object.assign(document.createElement('div'), { className: 'card', hidden: true }));
  function tell(event) {
    var point = event.target.closest && event.target.closest('.figure .point');
    card.hidden = !point;
    if (!point) return;
    var title = point.querySelector('title');
    if (title) {
      point.dataset.told = title.textContent;
      title.remove(); /* else the browser shows it, too */
    }
    card.textContent = '';
    (point.dataset.told || '').split('; ').forEach(function (line) {
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

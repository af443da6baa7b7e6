// Runs before the first paint: the remembered colour scheme is on <html> before any style applies, so nothing flashes.
// A file of its own because the content security policy allows no inline script.
(function () {
  var mode = 'dark';
  try {
    mode = localStorage.getItem('plimsoll.theme') || mode;
  } catch {
    // Storage may be blocked; the default stays.
  }
  if (mode === 'system') mode = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
  if (mode !== 'light') return;
  document.documentElement.removeAttribute('data-dark');
  document.documentElement.setAttribute('data-light', '');
})();

// Runs before the first paint: the remembered colour scheme is on <html> before any style applies, so nothing flashes.
// A file of its own because the content security policy allows no inline script.
(function () {
  var mode = 'dark';
  try {
    var stored = localStorage.getItem('plimsoll.theme');
    if (/^(dark|light|system)$/.test(stored)) mode = stored;
    // The interface cannot be drawn in any other mode.
    else localStorage.removeItem('plimsoll.theme');
  } catch {
    // Storage may be blocked; the default stays.
  }
  if (mode === 'system') mode = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
  if (mode !== 'light') return;
  document.documentElement.removeAttribute('data-dark');
  document.documentElement.setAttribute('data-light', '');
})();

// Runs before the first paint: the remembered colour scheme is on <html> before any style applies, so nothing flashes.
// A file of its own because the content security policy allows no inline script. It also sends the first calls of the page while the scripts that need them load; web/src/first-calls.ts lists them, and
// the API's client takes the answers.
(function () {
  var token = null;
  var mode = 'dark';
  try {
    var stored = localStorage.getItem('plimsoll.theme');
    if (/^(dark|light|system)$/.test(stored)) mode = stored;
    // The interface cannot be drawn in any other mode.
    else localStorage.removeItem('plimsoll.theme');
    token = localStorage.getItem('plimsoll.token');
  } catch {
    // Storage may be blocked; the default stays.
  }
  var calls = document.currentScript.dataset.calls;
  // Parameters of the address change what a page requests.
  if (token !== null && calls && location.search === '') {
    var parts = location.pathname.split('/');
    window.firstCalls = { token: token, answers: new Map() };
    var nowSeconds = Math.floor(Date.now() / 1000);
    calls.split(' ').forEach(function (call) {
      var isKnown = true;
      var dated = call.replace(/\{-(\d+)\}/, function (_, seconds) {
        return nowSeconds - seconds;
      });
      var address = dated.replace(/\{(\d)\}/g, function (_, index) {
        isKnown = /^[\w.-]+$/.test(parts[index]);
        return parts[index];
      });
      if (!isKnown) return;
      var answer = fetch(address, {
        headers: { accept: 'application/json', authorization: 'Bearer ' + token },
        credentials: 'include',
      });
      // The client sends the call again.
      answer.catch(function () {});
      window.firstCalls.answers.set(address, answer);
    });
  }
  if (mode === 'system') mode = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
  if (mode !== 'light') return;
  document.documentElement.removeAttribute('data-dark');
  document.documentElement.setAttribute('data-light', '');
})();

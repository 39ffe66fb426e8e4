// Runs before the first paint, so that a dark page never flashes light. A file of its own, because the
// content-security policy allows no inline script; it reads what `store/local-mirror.ts` wrote, and like it nothing in an
// embedded page.
(function () {
  let dark = false;
  try {
    const embedded = self !== top || /[?&]embed\b/.test(location.href);
    const kept = embedded ? {} : JSON.parse(localStorage.getItem('trellis.state') || '{}');
    dark = Boolean(kept.settings && kept.settings.dark);
  } catch {
    dark = false; // Storage is refused or holds something else.
  }
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();

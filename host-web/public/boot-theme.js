// Runs before the first paint, so that a dark page never flashes light. A file of its own, because the
// content-security policy allows no inline script; it reads what `store/local-mirror.ts` wrote.
(function () {
  let dark = matchMedia('(prefers-color-scheme: dark)').matches;
  try {
    const kept = JSON.parse(localStorage.getItem('trellis.state') || '{}');
    if (kept.settings && typeof kept.settings.dark === 'boolean') dark = kept.settings.dark;
  } catch (error) {
    // Storage is refused or holds something else: the system's wish stands.
    void error;
  }
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();

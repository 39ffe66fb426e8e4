// Runs before the first paint, so that a dark page never flashes light. A file of its own, because the
// content-security policy allows no inline script; it reads what `store/mirrored-state.ts` wrote, and nothing of it in an
// embedded page.
(function () {
  let settings = {};
  try {
    const embedded =
      self !== top || /[?&]embed\b/.test(location.href) || location.pathname.startsWith('/embed/');
    settings = (embedded ? {} : JSON.parse(localStorage.getItem('trellis.state') || '{}')).settings || {};
  } catch {
    settings = {}; // Storage is refused or holds something else.
  }
  const chosen = settings.mode === 'light' || settings.mode === 'dark' ? settings.mode : undefined;
  const kept = settings.mode === undefined && settings.dark === true ? 'dark' : chosen;
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = kept || system;
})();

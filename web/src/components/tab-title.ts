/** Text of the browser's tab: unread alerts first, then the page. */
const shown = { page: '', unread: 0 };

export const titleText = (page: string, unread: number): string =>
  `${unread > 0 ? `(${unread > 99 ? '99+' : unread}) ` : ''}${page === '' ? '' : `${page} · `}Plimsoll`;

/** Changes one part of the title and keeps the other. */
export function setTitle(part: Partial<typeof shown>): void {
  Object.assign(shown, part);
  document.title = titleText(shown.page, shown.unread);
}

/** The plain mark, as index.html names it. */
const PLAIN = '/favicon.svg';

/** The mark with a badge, in the colours of the system's scheme: a tab has no other. */
function drawing(words: string): string {
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">' +
    '<style>.m{stroke:#10151d}.b{fill:#b42318}.t{fill:#fff}' +
    '@media(prefers-color-scheme:dark){.m{stroke:#e8ecf2}.b{fill:#ff6f61}.t{fill:#0b0e13}}</style>' +
    '<path class="m" d="M12 5a7 7 0 1 0 0 14a7 7 0 1 0 0-14Z M1 12h22" fill="none" stroke-width="2.6"/>' +
    '<rect class="b" x="8" width="16" height="14" rx="4"/>' +
    `<text class="t" x="16" y="11.4" text-anchor="middle" font-family="sans-serif" font-size="12" font-weight="700">${words}</text></svg>`
  );
}

/** Address of the tab's picture: the plain mark, or one that carries the number of active alerts, "9+" from ten on. */
export function faviconUrl(activeAlerts: number): string {
  if (activeAlerts <= 0) return PLAIN;
  return `data:image/svg+xml,${encodeURIComponent(drawing(activeAlerts > 9 ? '9+' : String(activeAlerts)))}`;
}

/** Number on the mark that the tab shows. Its document has the plain one. */
let shownAlerts = 0;

/** The mark in the tab with the number of active alerts on it; none is the plain mark. */
export function setFavicon(activeAlerts: number): void {
  if (activeAlerts === shownAlerts) return;
  shownAlerts = activeAlerts;
  document.querySelector('link[rel="icon"]')?.setAttribute('href', faviconUrl(activeAlerts));
}

import { faviconUrl } from './favicon.ts';

/** Text of the browser's tab: unread alerts first, then the page. */
const shown = { page: '', unread: 0 };

export const titleText = (page: string, unread: number): string =>
  `${unread > 0 ? `(${unread > 99 ? '99+' : unread}) ` : ''}${page === '' ? '' : `${page} · `}Plimsoll`;

/** Changes one part of the title and keeps the other. */
export function setTitle(part: Partial<typeof shown>): void {
  Object.assign(shown, part);
  document.title = titleText(shown.page, shown.unread);
}

/** The mark in the tab with the number of active alerts on it; none is the plain mark. */
export function setFavicon(activeAlerts: number): void {
  document.querySelector('link[rel="icon"]')?.setAttribute('href', faviconUrl(activeAlerts));
}

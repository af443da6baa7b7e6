import { flag, storedValue } from '../../state/stored-value.ts';

/** Widths of the sidebar in px. */
export const SIDEBAR_PX = { collapsed: 88, expanded: 260 } as const;

/** True while the sidebar is open; the chat's left edge follows it. */
export const sidebarExpanded = storedValue('plimsoll.sidebar-expanded', flag(true));

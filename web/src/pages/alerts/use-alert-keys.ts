import { useEffect, useRef } from 'react';

/** "g a" goes to another page: the second key is none of this page's. */
const SEQUENCE_MS = 1500;
const TYPED_INTO =
  'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]';
const ROW = '[data-alert]';

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(ROW)];
const idOf = (row: HTMLElement | null | undefined): string | null => row?.dataset['alert'] ?? null;
const focusedRow = (): HTMLElement | null => document.activeElement?.closest<HTMLElement>(ROW) ?? null;

/** Moves the focus to the message of a row, which Enter opens. */
function focusRow(row: HTMLElement | undefined): void {
  const message = row?.querySelector<HTMLElement>('.message');
  message?.focus();
  message?.scrollIntoView({ block: 'nearest' });
}

/** Moves the focus to the first alert; does nothing without one. */
export const focusFirstAlert = (): void => focusRow(rows()[0]);

function step(by: 1 | -1): void {
  const all = rows();
  const from = focusedRow();
  const at = from === null ? -1 : all.indexOf(from);
  focusRow(all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)]);
}

export interface AlertKeys {
  onAcknowledge: (id: string) => void;
  onSilence: (id: string) => void;
  onTick: (id: string) => void;
}

/** j and k move between the alerts; a, s and x act on the one that has the focus. `acts` null: nobody may act. */
export function useAlertKeys(acts: AlertKeys | null): void {
  const current = useRef(acts);
  useEffect(() => {
    current.current = acts;
  });
  useEffect(() => {
    let goSince = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent) => {
      const isSecond = event.timeStamp - goSince <= SEQUENCE_MS;
      goSince = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (isSecond || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest(TYPED_INTO) !== null) return;
      const id = idOf(focusedRow());
      const run: Record<string, () => void> = {
        j: () => step(1),
        k: () => step(-1),
        a: () => id !== null && current.current?.onAcknowledge(id),
        s: () => id !== null && current.current?.onSilence(id),
        x: () => id !== null && current.current?.onTick(id),
      };
      if (!Object.hasOwn(run, event.key)) return;
      event.preventDefault();
      run[event.key]?.();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

import { useEffect, useState } from 'react';
import { createShortcuts, neighbour } from './shortcuts.ts';
import type { Command } from './shortcuts.ts';
import { useServerNamesOnce } from '../../api/server-names.ts';
import { paths } from '../../paths.ts';
import { useNavigate, useParams } from '../../router.ts';

export type Overlay = 'palette' | 'help' | null;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName));

/** Puts the caret into the page's own filter; false when the page has none. */
function focusPageSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('[data-page-search]');
  field?.focus();
  field?.select();
  return field !== null;
}

/** The keyboard of the whole interface: which overlay is open, and how to change that. */
export function useCommands(): [Overlay, (overlay: Overlay) => void] {
  const [overlay, setOverlay] = useState<Overlay>(null);
  const navigate = useNavigate();
  const { serverId } = useParams();
  const serverNames = useServerNamesOnce();
  useEffect(() => {
    const read = createShortcuts();
    const walk = async (from: string, step: 1 | -1) => {
      const ids = (await serverNames()).map(({ id }) => id);
      const next = neighbour(ids, from, step);
      if (next !== null) await navigate(paths.server(next));
    };
    const run = (command: Command) => {
      if (command.kind === 'go') void navigate(command.to);
      if (command.kind === 'palette') setOverlay('palette');
      if (command.kind === 'help') setOverlay('help');
      if (command.kind === 'search' && !focusPageSearch()) setOverlay('palette');
      if (command.kind === 'neighbour' && serverId !== undefined) void walk(serverId, command.step);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const command = read(event, isTyping(event.target), event.timeStamp);
      if (command === null) return;
      event.preventDefault();
      run(command);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [navigate, serverId, serverNames]);
  return [overlay, setOverlay];
}

import type { Asked, Plan } from './asked.ts';

/** "Which servers need a reboot?" is about what is required, "who rebooted" about what happened. */
function isRequiredReboot({ has, words }: Asked): boolean {
  const isReboot = words.some((word) => /^(?:reboots?|neustarts?)$/.test(word));
  return (
    isReboot &&
    (has('required', 'pending', 'package') || words.some((word) => /^(?:needs?|needing|braucht|brauchen)$/.test(word)))
  );
}

/** Plans for package updates, and for the reboots that they require. */
export function updatesPlan(asked: Asked): Plan | null {
  const { has, names } = asked;
  const isReboot = isRequiredReboot(asked);
  if ((!has('package', 'security') && !isReboot) || has('change', 'happened')) return null;
  const some = isReboot ? 'reboot' : has('security') ? 'security' : 'pending';
  const wanted = has('not') ? (some === 'pending' ? 'none' : `no_${some}`) : some;
  return {
    subject: 'updates',
    tool: 'package_updates',
    // One server is described whole.
    input: { server: names[0], wanted: names.length > 0 ? undefined : wanted },
    reads: [
      'package',
      'security',
      'server',
      'pending',
      'required',
      'free',
      'top',
      'who',
      'since',
      ...(isReboot ? (['uptime', 'restarts'] as const) : []),
      ...(names.length === 0 ? (['not'] as const) : []),
    ],
    takes: ['names'],
  };
}

/** An entry of the audit log is read on one screen. */
const MOST_NAMES = 20;
const MOST_CHARACTERS = 2000;

/** Returns names for the detail of an audit entry: "cpu, disk and 12 more". Names that do not fit are counted. */
export function nameList(names: readonly string[]): string {
  const shown: string[] = [];
  let characters = 0;
  for (const name of names.slice(0, MOST_NAMES)) {
    characters += name.length + 2;
    if (characters > MOST_CHARACTERS) break;
    shown.push(name);
  }
  const left = names.length - shown.length;
  if (left === 0) return shown.join(', ');
  return shown.length === 0 ? `${String(left)} names` : `${shown.join(', ')} and ${String(left)} more`;
}

import type { Machine } from '../../install/machine.ts';
import type { Named } from '../incident.ts';
import { writeInside } from './programs.ts';

export const unit = (name: string): Named[] => [{ kind: 'unit', name }];
/** A program of a unit: an answer may name either. */
export const program = (name: string): Named[] => [
  { kind: 'unit', name },
  { kind: 'process', name },
];
export const sh = async (machine: Machine, script: string): Promise<void> => void (await machine.sh(script));
/** systemctl reports the failure that the incident is about. */
export const restart = (machine: Machine, name: string): Promise<void> =>
  sh(machine, `systemctl restart ${name} || true`);

/** Starts a program as a unit of its own, from a shell script. */
export async function startUnit(machine: Machine, name: string, script: string): Promise<void> {
  writeInside(machine, `/usr/local/bin/${name}`, `#!/bin/bash\n${script}\n`);
  const text = `[Unit]\nDescription=${name}\n[Service]\nExecStart=/usr/local/bin/${name}\n`;
  writeInside(machine, `/etc/systemd/system/${name}.service`, text);
  await sh(machine, `chmod +x /usr/local/bin/${name} && systemctl daemon-reload && systemctl start ${name}`);
}

import { containerSubject, sensorSubject } from '@plimsoll/contract/rules/servers/hidden-parts';
import type { HiddenPart } from '@plimsoll/contract/wire/hidden-parts';
import type { ServerDetail } from '@plimsoll/contract/wire/servers';

/** Returns the server without its hidden parts, so that no panel shows or counts one. */
export function withoutHidden(server: ServerDetail, hidden: readonly HiddenPart[]): ServerDetail {
  if (hidden.length === 0) return server;
  const keys = new Set(hidden.map(({ kind, subject }) => `${kind} ${subject}`));
  const isShown = (kind: HiddenPart['kind'], subject: string) => !keys.has(`${kind} ${subject}`);
  return {
    ...server,
    filesystems: server.filesystems.filter(({ mount }) => isShown('filesystem', mount)),
    interfaces: server.interfaces.filter(({ name }) => isShown('interface', name)),
    temperatures: server.temperatures?.filter((one) => isShown('sensor', sensorSubject(one))) ?? null,
    containers: server.containers?.filter((one) => isShown('container', containerSubject(one))) ?? null,
  };
}

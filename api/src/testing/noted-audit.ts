import { AsyncLocalStorage } from 'node:async_hooks';
import { auditedActions, type Route } from '../http/define-route.ts';
import type { Stores, Storage } from '../storage.ts';
import type { AuditAction } from '../tenancy/types.ts';

/** Actions that the call under way left in the audit log. */
const calls = new AsyncLocalStorage<AuditAction[]>();

const noting = <S extends Stores>(stores: S): S => ({
  ...stores,
  tenancy: {
    ...stores.tenancy,
    audit: {
      ...stores.tenancy.audit,
      record: (by, action, detail, now) => {
        calls.getStore()?.push(action);
        return stores.tenancy.audit.record(by, action, detail, now);
      },
    },
  },
});

/** Returns the same storage, which notes what a call leaves in the audit log. */
export const notingAudit = (storage: Storage): Storage => ({
  ...noting(storage),
  inTransaction: (work) => storage.inTransaction((stores) => work(noting(stores))),
});

/** Runs one call. Returns its result with the actions that it left in the audit log. */
export async function noteAudit<T>(call: () => Promise<T>): Promise<{ result: T; actions: AuditAction[] }> {
  const actions: AuditAction[] = [];
  return { result: await calls.run(actions, call), actions };
}

/** A server that moves, and a person who does, have a log on either side. */
const TWO_LOGS: readonly AuditAction[] = ['owner_changed', 'member_joined'];

/** Throws if a successful call left something else in the audit log than its route declares. */
export function requireDeclared({ spec }: Route, actions: readonly AuditAction[]): void {
  const name = `${spec.method} ${spec.path}`;
  const other = actions.find((action) => !auditedActions(spec).includes(action));
  if (other !== undefined) throw new Error(`${name} left ${other} in the audit log and does not declare it`);
  const most = actions.some((action) => TWO_LOGS.includes(action)) ? 2 : 1;
  if (actions.length > most) throw new Error(`${name} left more than one entry: ${actions.join(', ')}`);
}

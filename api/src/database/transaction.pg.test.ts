import { expect, it } from 'vitest';
import { newAccount, newPerson } from '../testing/batches.ts';
import { describeEachPostgres } from '../testing/postgres.ts';
import { ownerOf } from '../tenancy/owner.ts';

const NOW = 1_770_000_000_000;

describeEachPostgres('a transaction of a verb', (db) => {
  const by = (organisationId: Awaited<ReturnType<typeof newAccount>>) => ({
    organisationId,
    person: null,
    token: null,
    address: null,
  });
  const page = { limit: 10, offset: 0 };

  it('stores what models and SQL write, or neither', async () => {
    const storage = db.storage();
    const organisationId = await newAccount(storage);
    const owner = ownerOf(organisationId);
    const draft = {
      serverId: null,
      tagKey: null,
      tagValue: null,
      metric: 'cpu_usage',
      rule: null,
      subject: null,
      clusterId: null,
      namespace: null,
      startsAt: NOW,
      endsAt: NOW + 1000,
      comment: '',
    };
    const change = (fails: boolean) =>
      storage.inTransaction(async ({ tenancy, silences, identity }) => {
        const author = { personId: (await tenancy.teams.get(owner)).members[0]!.personId, now: NOW };
        // SQL, in a nested transaction, a model, and SQL again.
        const { id } = await silences.create(owner, draft, author);
        await silences.delete(owner, id, author);
        await silences.create(owner, draft, author);
        await identity.retention.put(owner, { metrics: 7, alerts: 7, events: 7, processes: 7 });
        await tenancy.audit.record(by(organisationId), 'silence_created', {}, NOW);
        if (fails) throw new Error('after all of it');
        return 'done';
      });
    await expect(change(true)).rejects.toThrow('after all of it');
    expect(await storage.silences.count(owner, NOW)).toBe(0);
    expect(await storage.identity.retention.get(owner)).toBeNull();
    expect((await storage.tenancy.audit.list(owner, page)).total).toBe(0);
    expect(await change(false)).toBe('done');
    expect(await storage.silences.count(owner, NOW)).toBe(1);
    expect(await storage.identity.retention.get(owner)).toMatchObject({ metrics: 7 });
    expect((await storage.tenancy.audit.list(owner, page)).total).toBe(1);
  });

  it('goes on after a part of it failed', async () => {
    const storage = db.storage();
    const [first, second] = [await newPerson(storage), await newAccount(storage)];
    await storage.inTransaction(async ({ tenancy, accounts }) => {
      expect(await tenancy.teams.join(Buffer.alloc(32), first, NOW)).toBe(false);
      expect((await accounts.founderOf(second))?.name).toBe('Ada');
    });
  });

  it('lets one of two change an organisation at a time', async () => {
    const storage = db.storage();
    const owner = ownerOf(await newAccount(storage));
    const order: string[] = [];
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const first = storage.inTransaction(async ({ tenancy }) => {
      await tenancy.teams.lock(owner);
      locked();
      await mayEnd;
      order.push('first');
    });
    await isLocked;
    const second = storage.inTransaction(async ({ tenancy }) => {
      await tenancy.teams.lock(owner);
      order.push('second');
    });
    end();
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
  });

  it('refuses a statement that nobody awaited', async () => {
    const storage = db.storage();
    const owner = ownerOf(await newAccount(storage));
    const stores = await storage.inTransaction((kept) => Promise.resolve(kept));
    await expect(stores.silences.count(owner, NOW)).rejects.toThrow('the transaction has ended');
  });
});

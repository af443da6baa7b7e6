import type { Deps } from '../../deps.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { targetOf } from '../channel-secrets.ts';
import { testNotification } from '../message.ts';
import type { ChannelState, SendResult } from '../types.ts';
import { moveChat } from './move-chat.ts';
import { requireChannel } from './require-channel.ts';

type TestDeps = Pick<Deps, 'storage' | 'clock' | 'secretBox' | 'drivers' | 'config'>;

/** Sends a test message now and logs the attempt. Returns the verdict of the provider. Throws `not_found`. */
export async function testChannel(
  deps: TestDeps,
  { owner }: { owner: Owner },
  id: string,
): Promise<Pick<SendResult, 'outcome' | 'detail'>> {
  const { storage, clock } = deps;
  const channel = await requireChannel(storage.notify.channels, owner, id);
  const result = await send(deps, channel);
  const detail = await moveChat(deps, owner.organisationId, channel, result);
  const { outcome } = result;
  await storage.notify.deliveries.log(id, { at: clock.now(), outcome, detail, about: 'Test message' });
  return { outcome, detail };
}

async function send({ clock, secretBox, drivers, config }: TestDeps, channel: ChannelState): Promise<SendResult> {
  const { target, isReadable } = targetOf(secretBox, channel);
  if (!isReadable) return { outcome: 'refused', detail: 'The stored secret cannot be read. Write it again.' };
  const driver = drivers[channel.type];
  const checked = await driver.check?.(target);
  if (checked !== undefined && checked.outcome !== 'delivered') return checked;
  return driver.send(target, testNotification(config.publicUrl, clock.now()));
}

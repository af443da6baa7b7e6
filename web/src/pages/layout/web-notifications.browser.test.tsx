import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { nextFrame } from '../../testing/next-frame.ts';
import { ALERT_ID, OTHER_ID, SAMPLE_ALERT, SECOND_ALERT } from '../../testing/sample-alert.ts';
import { webNotifications } from '../../state/announced-alerts.ts';
import { storedValue } from '../../state/stored-value.ts';
import { useStored } from '../../state/use-stored.ts';
import { WebNotificationsEntry } from '../profile/web-notifications-entry.tsx';
import { useWebNotifications } from './use-web-notifications.ts';

/** Stands in for the browser's notifications, which a headless browser does not show. */
class FakeNotification extends EventTarget {
  static permission: NotificationPermission = 'default';
  static answer: NotificationPermission = 'granted';
  static shown: FakeNotification[] = [];
  static requestPermission(): Promise<NotificationPermission> {
    FakeNotification.permission = FakeNotification.answer;
    return Promise.resolve(FakeNotification.answer);
  }
  readonly title: string;
  readonly options: NotificationOptions | undefined;
  constructor(title: string, options?: NotificationOptions) {
    super();
    [this.title, this.options] = [title, options];
    FakeNotification.shown.push(this);
  }
  close(): void {}
}

beforeEach(() => {
  Object.assign(FakeNotification, { permission: 'default', answer: 'granted', shown: [] });
  vi.stubGlobal('Notification', FakeNotification);
});
afterEach(() => {
  webNotifications.set(false);
  listed.set(undefined);
  vi.unstubAllGlobals();
});

/** The list of alerts as the frame of the page gets it. */
const listed = storedValue<readonly Alert[] | undefined>('test.alerts', { parse: () => undefined, format: () => null });

function Announcer() {
  useWebNotifications(useStored(listed)[0]);
  return null;
}

const drawSwitch = async () => {
  const { screen } = await drawPage(<WebNotificationsEntry />, {});
  return { screen, control: screen.getByRole('switch', { name: 'Web notifications' }) };
};

it('asks the browser only when it is switched on, and says how to go on when the browser refuses', async () => {
  FakeNotification.answer = 'denied';
  const { screen, control } = await drawSwitch();
  expect(FakeNotification.permission).toBe('default');
  await control.click();
  await expect.element(screen.getByText(/^The browser blocks notifications/)).toBeVisible();
  await expect.element(control).not.toBeChecked();
  FakeNotification.answer = 'granted';
  await control.click();
  await expect.element(control).toBeChecked();
  expect(webNotifications.get()).toBe(true);
  await control.click();
  await expect.element(control).not.toBeChecked();
});

it('announces what is new, not what the page was loaded with, and a click opens the alert', async () => {
  FakeNotification.permission = 'granted';
  webNotifications.set(true);
  await drawPage(<Announcer />, {}, { at: '/servers' });
  listed.set([SAMPLE_ALERT]);
  await nextFrame();
  expect(FakeNotification.shown).toEqual([]);
  listed.set([SECOND_ALERT, SAMPLE_ALERT]);
  await nextFrame();
  await expect.poll(() => FakeNotification.shown).toHaveLength(1);
  const [shown] = FakeNotification.shown;
  expect([shown?.title, shown?.options?.body, shown?.options?.tag]).toEqual([
    'build-hel-02: critical',
    'No report for 7 min',
    OTHER_ID,
  ]);
  shown?.dispatchEvent(new Event('click'));
  await expect.poll(() => window.location.pathname + window.location.search).toBe(`/alerts?alert=${OTHER_ID}`);
});

it('announces nothing while it is off', async () => {
  FakeNotification.permission = 'granted';
  listed.set([]);
  await drawPage(<Announcer />, {});
  listed.set([{ ...SAMPLE_ALERT, alert_id: ALERT_ID }]);
  await nextFrame();
  expect(FakeNotification.shown).toEqual([]);
});

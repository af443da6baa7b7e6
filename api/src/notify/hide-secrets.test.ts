import { expect, test } from 'vitest';
import { exampleNotification } from '../testing/notify.ts';
import { hidingSecrets } from './hide-secrets.ts';

const said = async (detail: string, secrets: Record<string, string>): Promise<string> => {
  const driver = hidingSecrets({ send: () => Promise.resolve({ outcome: 'refused', detail }) });
  return (await driver.send({ settings: {}, secrets }, exampleNotification())).detail;
};

test.each([
  ['No topic Cnry-topic here.', { topic: 'Cnry-topic' }, 'No topic [secret] here.'],
  ['Cannot POST /hook/Cnry?key=1.', { url: 'https://x.example/hook/Cnry?key=1' }, 'Cannot POST [secret].'],
  ['No hook hook/Cnry-a.', { url: 'https://x.example/hook/Cnry-a' }, 'No hook [secret].'],
  ['Bad query ?key=Cnry.', { url: 'https://x.example/?key=Cnry' }, 'Bad query [secret].'],
  ['See https://x.example/Cnry-b now.', { webhook_url: 'https://x.example/Cnry-b' }, 'See [secret] now.'],
  ['The webhook answered 404.', { url: 'https://x.example/', secret: 'w' }, 'The webhook answered 404.'],
])('what a provider quotes is hidden: %s', async (detail, secrets, shown) => {
  expect(await said(detail, secrets)).toBe(shown);
});

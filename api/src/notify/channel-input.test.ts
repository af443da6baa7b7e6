import { CHANNEL_FORMS } from '@plimsoll/contract/rules/channel-forms';
import { CHANNEL_TYPES } from '@plimsoll/contract/rules/notify';
import { expect, test } from 'vitest';
import { readSettings, secretEndsOf, splitSecrets } from './channel-input.ts';

const CANARY = 'Cnry7x';
/** Ways in which an address carries a secret. */
const CARRIERS = [
  `https://u:${CANARY}@hooks.example.org/`,
  `https://${CANARY}@hooks.example.org/`,
  `https://hooks.example.org/?key=${CANARY}`,
  `https://hooks.example.org/#${CANARY}`,
];

test.each(CHANNEL_TYPES)('%s: a place that is shown carries no secret', (type) => {
  const shown = Object.entries(CHANNEL_FORMS[type].fields).filter(([, { isPlace, isSecret }]) => isPlace && !isSecret);
  for (const [name, { check }] of shown)
    for (const carrier of CARRIERS) expect([name, carrier, check(carrier)]).not.toContain(null);
});

test.each(CHANNEL_TYPES)('%s: no stored setting that is a secret is shown, wherever it is stored', (type) => {
  const form = CHANNEL_FORMS[type];
  const stored = Object.fromEntries(
    Object.entries(form.fields).map(([name, { isSecret }]) => [
      name,
      isSecret ? `https://h.example/${CANARY}/tail` : 1,
    ]),
  );
  const { open, secrets } = splitSecrets(form, stored);
  expect(JSON.stringify([open, secretEndsOf(secrets)])).not.toContain(CANARY);
  expect({ ...open, ...secrets }).toEqual(stored);
});

test.each([
  ['https://hooks.example.org/services/T0/abcd', 'https://hooks.example.org/…abcd'],
  ['https://hooks.example.org/hook?key=123456abcd', 'https://hooks.example.org/…abcd'],
  ['https://hooks.example.org:8443/short', 'https://hooks.example.org:8443/…'],
  ['tk_0123456789abcd', 'abcd'],
  ['short', ''],
])('of %s is shown: %s', (secret, shown) => {
  expect(secretEndsOf({ secret })).toEqual({ secret: shown });
});

const MAIL = { host: 'smtp.example.org', from: 'a@example.org', to: ['b@example.org'] };
const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
test.each([{ security: 'none' }, { security: 'tls', ca: PEM }, { security: 'tls', ca: PEM.repeat(3) }])(
  'the mail settings %j are taken',
  (given) => {
    expect(readSettings('email', { ...MAIL, ...given }, null).settings).toMatchObject(given);
  },
);
test.each([
  [{ security: 'none', username: 'u' }, 'settings.username: must be empty without TLS'],
  [{ security: 'none', ca: PEM }, 'settings.ca: must be empty without TLS'],
  [{ security: 'tls', ca: 'x' }, 'settings.ca: must be certificates in PEM form'],
  [{ security: 'tls', ca: `${PEM}-----BEGIN PRIVATE KEY-----` }, 'settings.ca: must be certificates in PEM form'],
  [{ security: 'tls', ca: PEM.repeat(400) }, 'settings.ca: must be at most 16384 characters'],
])('the mail settings %j are refused: %s', (given, problem) => {
  expect(() => readSettings('email', { ...MAIL, ...given }, null)).toThrow(problem);
});

test('other certificates for a mail server need its password again', () => {
  const stored = { settings: { ...MAIL, port: 587, security: 'tls', username: 'u' }, secrets: { password: 'p' } };
  const again = () => readSettings('email', { ...MAIL, security: 'tls', username: 'u', ca: PEM }, stored);
  expect(again).toThrow('settings.password: is required when ca changes');
});

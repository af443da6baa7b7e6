import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionToken } from '../state/session-token.ts';
import { address, failureOf, failureText, fieldFailureText, request, RequestFailed } from './client.ts';

const answer = (status: number, body: unknown) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });

describe('request', () => {
  const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
  beforeEach(() => vi.stubGlobal('fetch', fetched));
  afterEach(() => {
    vi.unstubAllGlobals();
    fetched.mockReset();
    sessionToken.set(null);
  });

  it('sends the bearer token, JSON and cookies, and gives data', async () => {
    sessionToken.set('abc');
    fetched.mockResolvedValue(answer(200, { success: true, data: { n: 1 } }));
    await expect(request('/api/x', { method: 'POST', body: { a: 1 }, query: { hours: 24 } })).resolves.toEqual({
      n: 1,
    });
    const [url, init] = fetched.mock.calls[0]!;
    expect(url).toBe('/api/x?hours=24');
    expect(init.credentials).toBe('include');
    expect(init.body).toBe('{"a":1}');
    expect(new Headers(init.headers).get('authorization')).toBe('Bearer abc');
  });

  it('sends no authorization header without a token', async () => {
    fetched.mockResolvedValue(answer(200, { success: true, data: null }));
    await request('/api/x');
    expect(new Headers(fetched.mock.calls[0]![1].headers).has('authorization')).toBe(false);
  });

  it('raises the detail with its status, code, field and remedy', async () => {
    fetched.mockResolvedValue(
      answer(400, {
        success: false,
        detail: 'hours must be 1 to 2160',
        code: 'bad_input',
        field: 'hours',
        remedy: 'Use 24',
      }),
    );
    const failure = await request('/api/x').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RequestFailed);
    expect(failure).toMatchObject({
      message: 'hours must be 1 to 2160',
      status: 400,
      code: 'bad_input',
      field: 'hours',
      remedy: 'Use 24',
    });
  });

  it('says so when no answer came', async () => {
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    await expect(request('/api/x')).rejects.toMatchObject({ status: 0, message: 'Cannot reach the server' });
  });

  it('raises Unknown error for an answer that is not JSON', async () => {
    fetched.mockResolvedValue(answer(502, '<html>Bad gateway</html>'));
    await expect(request('/api/x')).rejects.toMatchObject({ status: 502, message: 'Unknown error' });
  });
});

describe('failureOf', () => {
  it('takes detail, then message, then a general text', () => {
    expect(failureOf(500, { detail: 'a', message: 'b' }).message).toBe('a');
    expect(failureOf(500, { message: 'b' }).message).toBe('b');
    expect(failureOf(500, { detail: '' }).message).toBe('Request failed');
    expect(failureOf(500, null).message).toBe('Unknown error');
  });
});

describe('address', () => {
  it('leaves out what is not given and encodes the rest', () => {
    expect(address('/a')).toBe('/a');
    expect(address('/a', { x: null, y: undefined, z: '' })).toBe('/a');
    expect(address('/a', { q: 'b c&d', n: 0 })).toBe('/a?q=b+c%26d&n=0');
  });
});

describe('failureText', () => {
  it.each([
    [
      new RequestFailed('password: too short', 400, { remedy: 'Use 12 characters.' }),
      'password: too short. Use 12 characters.',
    ],
    [new RequestFailed('Too short.', 400, { remedy: 'Use 12.' }), 'Too short. Use 12.'],
    [new RequestFailed('Not found', 404), 'Not found'],
    [new TypeError('broken'), 'broken'],
    ['text', 'Unknown error'],
  ])('%s', (error, text) => expect(failureText(error)).toBe(text));
});

describe('fieldFailureText', () => {
  it.each([
    ['settings.topic: is taken', 'settings.topic', 'Is taken. Choose another.'],
    ['A topic is taken', 'settings.topic', 'A topic is taken. Choose another.'],
    ['topic: is taken', null, 'topic: is taken. Choose another.'],
  ])('%s, beside the field %s', (detail, field, text) => {
    const error = new RequestFailed(detail, 400, { field, remedy: 'Choose another.' });
    expect(fieldFailureText(error)).toBe(text);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { copyText } from './copy-text.ts';

/** As much of a page as the old way of copying touches. */
class Page {
  readonly copied: string[] = [];
  readonly standing: string[] = [];
  works = true;
  areas = 0;
  readonly #body = this.#place('body');
  activeElement: { closest: (selector: string) => unknown } | null = null;

  #place(name: string) {
    return { append: () => void this.standing.push(name) };
  }
  get body() {
    return this.#body;
  }
  dialog() {
    const place = this.#place('dialog');
    this.activeElement = { closest: () => place };
  }
  createElement() {
    this.areas += 1;
    const area = {
      value: '',
      style: {},
      setAttribute: () => undefined,
      select: () => void this.copied.push(area.value),
      remove: () => void (this.areas -= 1),
    };
    return area;
  }
  execCommand = (command: string) => command === 'copy' && this.works;
}

describe('copying', () => {
  const written: string[] = [];
  let page: Page;
  beforeEach(() => {
    page = new Page();
    written.length = 0;
    vi.stubGlobal('document', page);
    vi.stubGlobal('HTMLElement', Page);
  });
  afterEach(() => vi.unstubAllGlobals());
  const browser = (clipboard?: { writeText: (text: string) => Promise<void> }) =>
    vi.stubGlobal('navigator', clipboard === undefined ? {} : { clipboard });

  it('uses the clipboard where the browser gives one', async () => {
    browser({ writeText: (text) => Promise.resolve(void written.push(text)) });
    await expect(copyText('curl -fsSL …')).resolves.toBe(true);
    expect([written, page.copied]).toEqual([['curl -fsSL …'], []]);
  });

  it.each([
    ['is hidden, on plain http', undefined],
    ['is refused by the person', { writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) }],
  ])('works the old way where the clipboard %s, and leaves nothing behind', async (_, clipboard) => {
    browser(clipboard);
    await expect(copyText('plm_secret')).resolves.toBe(true);
    expect(page.copied).toEqual(['plm_secret']);
    expect(page.areas).toBe(0);
  });

  it('stays inside an open dialog, which holds the focus', async () => {
    browser();
    page.dialog();
    await copyText('a');
    expect(page.standing).toEqual(['dialog']);
  });

  it('says so when neither way works', async () => {
    browser();
    page.works = false;
    await expect(copyText('a')).resolves.toBe(false);
    expect(page.areas).toBe(0);
  });
});

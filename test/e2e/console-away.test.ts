import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser, PASSWORD } from '../support/console.ts';
import { type ConsoleContent, fillConsole } from '../support/console-content.ts';
import { needs } from '../support/programs.ts';
import { type System, startSystem } from '../support/system.ts';

/** What these show comes from the event stream, does not change, or is read when a user asks for it. */
const NOTHING_READ_AGAIN = ['map', 'devices/setup', 'reports'];
const OF_THE_SERVER = /\/(?:v1\/|metrics$|readyz$|login\/methods$)/;
const STALE = 'The server does not answer. It is asked again every five seconds. What is shown was read at';
/** longer than data are fresh, and than the console waits until it asks again */
const LATER_MS = 6_000;
const FIELDS = 'main form :is(textarea, input:is(:not([type]), [type=text], [type=url])):enabled:not([list]):visible';
const CONTENT = ['main h1', 'main tbody tr', 'main dd', 'main form', 'main fieldset', 'main section'];

const program = needs('chromium');
describe.skipIf(program === undefined)('pages of the console while the server is away', { timeout: 400_000 }, () => {
  let system: System;
  let content: ConsoleContent;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    system = await startSystem({ ADMIN_PASSWORD: PASSWORD });
    content = await fillConsole(system);
    // what is shown stays as it is
    content.stop();
    browser = await ConsoleBrowser.open(program!, system);
    await browser.page.clock.install();
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });

  const open = async (path: string): Promise<void> => {
    await browser.visit(path);
    await browser.settled();
  };

  /** How much there is of each kind of content. */
  const shown = (): Promise<number[]> => Promise.all(CONTENT.map((selector) => browser.page.locator(selector).count()));

  const lostSince = async (before: readonly number[]): Promise<string[]> => {
    const now = await shown();
    return CONTENT.filter((_, n) => now[n]! < before[n]!);
  };

  /** Data of before are read again when the network is back: here it is, and the server is not. */
  const readAgain = async (): Promise<void> => {
    await browser.page.clock.fastForward(LATER_MS);
    await browser.page.evaluate('for (const name of ["offline", "online"]) dispatchEvent(new Event(name))');
  };

  it('keep what they show and what a user has begun to enter, say how old it is, and recover by themselves', async () => {
    const { page } = browser;
    const entered: string[] = [];
    for (const { name, path } of content.named) {
      if (NOTHING_READ_AGAIN.includes(name)) continue;
      await open(path);
      const before = await shown();
      const field = page.locator(FIELDS).first();
      const hasField = (await field.count()) > 0;
      if (hasField) {
        await field.fill('https://begun.example.org/');
        entered.push(name);
      }
      await page.route(OF_THE_SERVER, (route) => route.abort());
      await readAgain();
      await page.getByRole('alert').filter({ hasText: STALE }).first().waitFor();
      expect(await lostSince(before), name).toEqual([]);
      await page.unroute(OF_THE_SERVER);
      await page.clock.fastForward(LATER_MS);
      await page.getByRole('alert').first().waitFor({ state: 'detached' });
      expect(await lostSince(before), name).toEqual([]);
      if (hasField) await expect.poll(() => field.inputValue(), { message: name }).toBe('https://begun.example.org/');
    }
    expect(entered).toEqual(
      expect.arrayContaining(['admin/settings', 'admin/users/$id', 'devices/$imei', 'rules/$id']),
    );
  });
});

/** A headless browser that reaches nothing but the VS Code server. */
import { chromium, type Browser, type Page } from 'playwright-core';
import { PATIENCE_MS } from './poll.js';

export interface OpenPage {
  readonly browser: Browser;
  readonly page: Page;
  /** Requests that wanted to leave the machine. All were refused. */
  readonly refused: readonly string[];
}

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
];

/** @param executable the browser @param origin the only place that may be reached */
export async function openPage(executable: string, origin: string): Promise<OpenPage> {
  const browser = await chromium.launch({ executablePath: executable, args: ARGUMENTS });
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, locale: 'en-US' });
  context.setDefaultTimeout(PATIENCE_MS);
  const refused: string[] = [];
  await context.route(
    (url) => url.origin !== origin && /^https?:$/.test(url.protocol),
    (route) => {
      refused.push(route.request().url());
      return route.abort();
    },
  );
  return { browser, page: await context.newPage(), refused };
}

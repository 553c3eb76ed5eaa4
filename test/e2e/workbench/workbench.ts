/** A VS Code window, used by keyboard as a person would. Selectors hold for VS Code 1.100 to 1.139. */
import { basename, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Places } from '../global-setup.js';
import { openPage, type OpenPage } from './browser.js';
import { poll, succeeds } from './poll.js';
import { readProblems, type Problem } from './problems.js';
import { startServer, type VscodeServer } from './server.js';

const EDITOR = '.editor-group-container.active';
const MENU_ENTRY = '.action-widget .actionList .monaco-list-row.action';

export class Workbench {
  readonly #places: Places;
  readonly #server: VscodeServer;
  readonly #window: OpenPage;
  readonly #folder: string;

  private constructor(places: Places, server: VscodeServer, window: OpenPage, folder: string) {
    this.#places = places;
    this.#server = server;
    this.#window = window;
    this.#folder = folder;
  }

  /** Opens `folder` in a new VS Code with the packed extension; the folder has to hold a file. */
  static async open(places: Places, folder: string): Promise<Workbench> {
    const server = await startServer(places.vscode, places.vsix);
    let window: OpenPage | undefined;
    try {
      window = await openPage(places.browser, server.url);
      const workbench = new Workbench(places, server, window, folder);
      await window.page.goto(`${server.url}/?${new URLSearchParams({ folder }).toString()}`);
      // The explorer fills once the connection to the server stands.
      await window.page.locator('.part.sidebar .explorer-folders-view .monaco-list-row').first().waitFor();
      return workbench;
    } catch (error) {
      await window?.browser.close();
      await server.stop();
      throw error;
    }
  }

  get #page(): Page {
    return this.#window.page;
  }

  /** Requests that wanted to leave the machine. All were refused. */
  get refused(): readonly string[] {
    return this.#window.refused;
  }

  /** Opens a file of the folder and waits until the cursor is in it. */
  async openFile(path: string): Promise<void> {
    await this.#quickInput('Control+P', join(this.#folder, path));
    await this.#row(basename(path)).waitFor();
    await this.#page.keyboard.press('Enter');
    await this.#page.locator(`${EDITOR} .tab.active[data-resource-name="${basename(path)}"]`).waitFor();
    await this.#page.locator(`${EDITOR} .monaco-editor.focused .view-lines`).waitFor();
  }

  /** Puts the cursor at a 1-based place of the active editor. */
  async goTo(line: number, column: number): Promise<void> {
    const input = await this.#quickInput('Control+G', `:${line}:${column}`);
    await this.#page.keyboard.press('Enter');
    await input.waitFor({ state: 'hidden' });
    const place = this.#page.locator('.part.statusbar', { hasText: `Ln ${line}, Col ${column}` });
    await place.waitFor();
  }

  async waitForSquiggle(severity: Problem['severity']): Promise<void> {
    await this.#page.locator(`${EDITOR} .squiggly-${severity}`).first().waitFor();
  }

  /** Opens the Problems panel and waits until it shows exactly these findings of one source, in any order. */
  async waitForProblems(source: string, codes: readonly string[]): Promise<Problem[]> {
    if (!(await this.#page.locator('.markers-panel').isVisible())) {
      await this.#runCommand('Problems: Focus on Problems View');
    }
    const expected = [...codes].sort().join();
    return poll(`the problems [${expected}] of ${source}`, async () => {
      const problems = (await readProblems(this.#page)).filter((problem) => problem.source === source);
      const found = problems.map(({ code }) => code).sort();
      return found.join() === expected && problems;
    });
  }

  /** Opens the quick-fix menu at a 1-based place of the active editor. Returns the titles in it. */
  async openQuickFixes(line: number, column: number): Promise<string[]> {
    await this.goTo(line, column);
    const entries = this.#page.locator(MENU_ENTRY);
    await poll('the quick-fix menu', async () => {
      await this.#page.keyboard.press('Control+.');
      return succeeds(entries.first().waitFor({ timeout: 5_000 }));
    });
    return (await entries.locator('.title').allInnerTexts()).map((title) => title.trim());
  }

  /** Takes an entry of the open quick-fix menu, by keyboard: until the mouse moves, an invisible block covers the menu. */
  async chooseQuickFix(title: string): Promise<void> {
    const before = await this.#editorText();
    const focused = this.#page.locator(`${MENU_ENTRY}.focused .title`).first();
    await poll(`the menu entry ${title}`, async () => {
      if ((await focused.count()) > 0 && (await focused.innerText()).trim() === title) return true;
      await this.#page.keyboard.press('ArrowDown');
      return false;
    });
    await this.#page.keyboard.press('Enter');
    await poll('the edit of the quick fix', async () => (await this.#editorText()) !== before);
  }

  /** Saves the active editor and waits until it is clean. */
  async save(): Promise<void> {
    await this.#page.keyboard.press('Control+S');
    await this.#page.locator(`${EDITOR} .tab.active.dirty`).waitFor({ state: 'detached' });
  }

  /** Takes a picture of the window. */
  async screenshot(name: string): Promise<void> {
    await this.#page.screenshot({ path: join(this.#places.artifacts, `${name}.png`) });
  }

  async close(): Promise<void> {
    await this.#window.browser.close();
    await this.#server.stop();
  }

  async #runCommand(title: string): Promise<void> {
    await this.#quickInput('F1', `>${title}`);
    await this.#row(title).click();
  }

  /** Opens a quick input with `key` and types into it. While the workbench starts a key may be lost, so it is pressed again. */
  async #quickInput(key: string, text: string): Promise<Locator> {
    const input = this.#page.locator('.quick-input-widget:visible .quick-input-box input');
    await poll(`the quick input of ${key}`, async () => {
      await this.#page.keyboard.press(key);
      return succeeds(input.waitFor({ timeout: 3_000 }));
    });
    await input.fill(text);
    return input;
  }

  /** The row of the open quick input with exactly this label. */
  #row(label: string): Locator {
    const exact = new RegExp(`^\\s*${label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`);
    const rows = this.#page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
    return rows.filter({ has: this.#page.locator('.label-name', { hasText: exact }) }).first();
  }

  async #editorText(): Promise<string> {
    return (await this.#page.locator(`${EDITOR} .view-lines .view-line`).allInnerTexts()).join('\n');
  }
}

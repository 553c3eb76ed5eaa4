/** The rows of the Problems panel. */
import type { Page } from 'playwright-core';

export interface Problem {
  readonly severity: 'error' | 'warning' | 'other';
  readonly message: string;
  readonly source: string;
  readonly code: string;
  /** 1-based, as shown. */
  readonly line: number;
  readonly column: number;
}

/** What is used of the browser's elements here; the tests are typed without a browser. */
interface Row {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Row | null;
  querySelectorAll(selector: string): Iterable<Row>;
}

/** Reads the rows that are on screen; the panel has to be open. */
export async function readProblems(page: Page): Promise<Problem[]> {
  return page.locator('.markers-panel .monaco-list-row').evaluateAll((rows: readonly Row[]) =>
    rows.flatMap((row): Problem[] => {
      const place = /\[Ln (\d+), Col (\d+)\]/.exec(row.textContent ?? '');
      if (!place) return []; // the row of a file
      const text = (selector: string) =>
        [...row.querySelectorAll(selector)].map((part) => part.textContent ?? '').join('');
      const icon = row.querySelector('.marker-icon')?.getAttribute('class') ?? '';
      return [
        {
          severity: icon.includes('error') ? 'error' : icon.includes('warning') ? 'warning' : 'other',
          message: text('.marker-message'),
          source: text('.marker-source'),
          code: text('.marker-code').replace(/^\(|\)$/g, ''),
          line: Number(place[1]),
          column: Number(place[2]),
        },
      ];
    }),
  );
}

/** What a linter says about a text, in offsets of that text: the seam between ESLint and the language server. */

/** Start and end (exclusive) as UTF-16 offsets. */
export type Span = readonly [start: number, end: number];

/** One replacement of text that repairs a finding. */
export interface Repair {
  readonly title: string;
  readonly span: Span;
  readonly text: string;
  /** A fix keeps what the code does, a suggestion wants a look first. */
  readonly kind: 'fix' | 'suggestion';
}

export interface Finding {
  /** Full rule name, as in `lockproof/no-blind-release`. */
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly span: Span;
  /** The rule's page. */
  readonly url: string | undefined;
  readonly repairs: readonly Repair[];
}

/**
 * Lints one text; empty for a text that does not parse.
 * @param text the document's text
 * @param filename absolute path of the document: rules look for `package.json` near it
 * @param root a folder above the document, the project's as a rule: the part of the path below it tells tests and `node_modules`
 * @throws whatever a parser or a rule throws on a text it cannot cope with
 */
export type Lint = (text: string, filename: string, root: string) => Finding[];

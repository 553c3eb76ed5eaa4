/** The parser that a document needs. */
export type Dialect = 'javascript' | 'typescript';

/** Language identifiers of the Language Server Protocol that Lockproof lints, each with its parser. */
export const DIALECTS: Readonly<Record<string, Dialect>> = {
  javascript: 'javascript',
  javascriptreact: 'javascript',
  typescript: 'typescript',
  typescriptreact: 'typescript',
};

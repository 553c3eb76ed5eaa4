/** Findings in the words of the Language Server Protocol. */
import { DiagnosticSeverity, type Diagnostic, type TextEdit } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { LOCKPROOF } from '../protocol/names.js';
import type { Finding, Repair, Span } from './findings.js';

/** A diagnostic with the edits that answer it. */
export interface Problem {
  readonly diagnostic: Diagnostic;
  readonly fixes: readonly QuickFix[];
}

interface QuickFix {
  readonly title: string;
  readonly edit: TextEdit;
  readonly preferred: boolean;
}

const SEVERITY = { error: DiagnosticSeverity.Error, warning: DiagnosticSeverity.Warning } as const;

/** Turns a finding about the document's current text into a diagnostic with its quick fixes. */
export function toProblem(document: TextDocument, finding: Finding): Problem {
  const rangeOf = ([start, end]: Span) => ({
    start: document.positionAt(start),
    end: document.positionAt(end),
  });
  const diagnostic: Diagnostic = {
    source: LOCKPROOF,
    code: finding.rule,
    severity: SEVERITY[finding.severity],
    message: finding.message,
    range: rangeOf(finding.span),
    ...(finding.url && { codeDescription: { href: finding.url } }),
  };
  const toQuickFix = ({ title, span, text, kind }: Repair): QuickFix => ({
    title,
    edit: { range: rangeOf(span), newText: text },
    preferred: kind === 'fix',
  });
  return { diagnostic, fixes: finding.repairs.map(toQuickFix) };
}

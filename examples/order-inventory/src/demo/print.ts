/** The demo as text. */
import { drawTimeline, type ObservedStep, type TimelineReport } from 'lockproof/testing';
import type { Call } from './calls.js';
import { valueText, type Facts } from './facts.js';
import type { Finding } from './lint.js';
import { styled, wrapped } from './style.js';

export const title = (text: string): string => `\n${styled('bold', text)}\n`;

export function findingText({ file, line, column, severity, message, rule }: Finding): string {
  const place = `${file}:${String(line)}:${String(column)}`;
  const level = styled(severity === 'error' ? 'red' : 'yellow', severity);
  return `  ${place}  ${level}  ${rule ?? 'does not parse'}\n${wrapped(message, '    ')}`;
}

/** The race as a small timeline: the user's key, the commands with their replies, the lines that sent them. */
export function raceText(report: TimelineReport, facts: Facts): string {
  const note = (step: ObservedStep): string | null => noteOf(step, facts);
  const lines = drawTimeline(report, { note, width: 12 });
  return lines.map((line) => `  ${line.includes(' ms ! ') ? styled('red', line) : line}`).join('\n');
}

function noteOf({ step, reply }: ObservedStep, facts: Facts): string | null {
  const own = facts.calls.filter(({ who }) => who === step.who);
  switch (step.what) {
    case 'acquire':
      return callText(own[0]);
    case 'release':
      return callText(step.who === 'A' ? facts.release : own[1]);
    case 'check':
      return `   GET ${facts.key} → ${valueText(facts.version, reply) ?? 'null'}`;
    case 'pause':
      return `${step.who}  pays, longer than the TTL: the lock expires`;
    default:
      return null;
  }
}

function callText(call: Call | null | undefined): string | null {
  if (!call) return null;
  const { who, text, reply, from } = call;
  const place = from ? `   ${from.file}:${String(from.line)}` : '';
  return `${who}  ${text} → ${String(reply)}${place}`;
}

/** What became of the three requests and of the stock, and what let C in or kept it out. */
export function stockText({ version, calls, outcomes, orders, unitsLeft }: Facts): string {
  const each = Object.entries(outcomes)
    .sort()
    .map(([buyer, outcome]) => `${buyer} ${outcome}`)
    .join(', ');
  const sold = `${String(orders)} ${orders === 1 ? 'order' : 'orders'}, stock ${String(unitsLeft)}`;
  const third = callText(calls.find(({ who }) => who === 'C')) ?? 'C sent nothing';
  return [
    `  src/${version}: ${each}: ${orders > 1 ? styled('red', sold) : sold}`,
    `    while B paid: ${third}`,
  ].join('\n');
}

/** Draws a report as a small timeline: time, lanes of A, B and Redis, the TTL as a bar. */
import type { ObservedStep, TimelineReport } from './run.js';
import type { Actor, Step } from './timelines.js';

export interface DrawOptions {
  /** What to write beside a step: the command that was sent, the line it was sent from. */
  note?: (step: ObservedStep, index: number) => string | null;
  /** The width of the bar of a TTL, in characters. */
  width?: number;
}

const BAR = 24;

/** The lines of the drawing, without colours. */
export function drawTimeline(report: TimelineReport, options: DrawOptions = {}): string[] {
  const width = options.width ?? BAR;
  const rows = report.steps.map((step, i) => {
    const note = options.note?.(step, i);
    return { time: `${String(Math.round(step.atMs))} ms`, text: note ?? textOf(step), step };
  });
  const room = Math.max(...rows.map((row) => row.time.length));
  const head = `${report.key}  TTL ${String(report.ttlMs)} ms`;
  const lines = rows.map(({ time, text, step }) => {
    const mark = step.ok ? ' ' : '!';
    return `${time.padStart(room)} ${mark} ${lanes(step.step, report, width)} ${text}`;
  });
  return [head, ...lines];
}

/** One character a lane, then the bar of the TTL for the step that takes or waits. */
function lanes(step: Step, report: TimelineReport, width: number): string {
  const lane = (who: Actor | 'redis'): string => (step.who === who ? '●' : '│');
  const held = `${lane('A')} ${lane('B')} ${lane('redis')}`;
  if (step.what === 'pause') return `${held}  ${'░'.repeat(width)}`;
  if (step.what === 'acquire' && report.ttlMs > 0) return `${held}  ${'█'.repeat(width)}`;
  return `${held}  ${' '.repeat(width)}`;
}

function textOf({ step, observed, ok }: ObservedStep): string {
  const broken = ok ? '' : ` (expected: ${step.expected})`;
  switch (step.what) {
    case 'acquire':
      return `${step.who} asks for the lock: ${observed}${broken}`;
    case 'pause':
      return `${step.who} stands still past its TTL: the key has ${observed}${broken}`;
    case 'release':
      return `${step.who} gives the lock back${step.expected === 'ended' ? '' : `: ${observed}${broken}`}`;
    case 'renew':
      return `${step.who} renews: ${observed}${broken}`;
    case 'race':
      return `A and B ask for the lock at once: ${observed}${broken}`;
    case 'ttl':
      return `the TTL of the key: ${observed}${broken}`;
    case 'values':
      return `the values of A and B: ${observed}${broken}`;
    case 'check':
      return observed === 'nobody'
        ? `the key is gone${broken}`
        : `the key holds ${observed}'s value${broken}`;
  }
}

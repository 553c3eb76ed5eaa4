/** The TTL of an acquire where it is a number that can be read. */
import type { Node, SourceCode } from '../types.js';
import type { RedisCommand } from './commands.js';
import { resolve } from './values.js';

export interface LiteralTtl {
  node: Node;
  unit: 's' | 'ms';
  value: number;
  ms: number;
  /** The unit is surely the other one. */
  slip: { meant: string; consequence: string; right: string } | null;
}

const SHORTEST_MS = 100;
const LONGEST_S = 10_000;

export function literalTtl(sourceCode: SourceCode, command: RedisCommand | null): LiteralTtl | null {
  const ttl = command?.options.ttl;
  if (!ttl || ttl.unit === 'unix') return null;
  const value = numberOf(sourceCode, ttl.node);
  if (value === null) return null;
  const ms = ttl.unit === 's' ? value * 1000 : value;
  return { node: ttl.node, unit: ttl.unit, value, ms, slip: slipOf(value, ttl.unit) };
}

function numberOf(sourceCode: SourceCode, expression: Node): number | null {
  const node = resolve(sourceCode, expression);
  if (node.type === 'Literal') return typeof node.value === 'number' ? node.value : null;
  if (node.type !== 'BinaryExpression') return null;
  const left = numberOf(sourceCode, node.left);
  const right = numberOf(sourceCode, node.right);
  if (left === null || right === null) return null;
  switch (node.operator) {
    case '*':
      return left * right;
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '/':
      return left / right;
    default:
      return null;
  }
}

/** 30 given to PX, 30000 given to EX. */
function slipOf(value: number, unit: 's' | 'ms'): LiteralTtl['slip'] {
  if (unit === 'ms' && value > 0 && value < SHORTEST_MS) {
    return {
      meant: `${String(value)} milliseconds, not seconds`,
      consequence: 'the lock is gone before any work is done',
      right: String(value * 1000),
    };
  }
  if (unit === 's' && value >= LONGEST_S && value % 1000 === 0) {
    const hours = Math.round(value / 360) / 10;
    return {
      meant: `${String(hours)} hours, not ${String(value / 1000)} seconds`,
      consequence: 'when the holder dies, every other request waits that long',
      right: String(value / 1000),
    };
  }
  return null;
}

/** What the fence of a block claims, held against the plugin. */
import { expect } from 'vitest';
import { fixedBy, messagesOf, nameOf, suggestedBy } from './lint-block.js';
import type { Block } from './page.js';
import { tokensOf } from './shape.js';

/** `blindDelete@7` on the page of `no-blind-release` is `no-blind-release/blindDelete@7`. */
export const reportNamed = (claim: string, rule: string): string =>
  claim.includes('/') ? claim : `${rule}/${claim}`;

const originOf = (block: Block): Block => {
  if (!block.origin) throw new Error(`${block.name}: there is no wrong block before it`);
  return block.origin;
};

const CLAIMS: Record<Block['kind'], (block: Block, rule: string) => void> = {
  wrong(block, rule) {
    // The line is compared only where the fence names it.
    const found = messagesOf(block, rule).map((message, index) =>
      block.claims[index]?.includes('@') ? `${nameOf(message)}@${message.line}` : nameOf(message),
    );
    expect(found).toEqual(block.claims.map((claim) => reportNamed(claim, rule)));
    expect(found).not.toEqual([]);
  },
  right(block, rule) {
    expect(messagesOf(block, rule).map(nameOf)).toEqual([]);
  },
  silent(block, rule) {
    const others = (ruleId: string | null): boolean => ruleId !== null && ruleId !== `lockproof/${rule}`;
    const messages = messagesOf(block, rule).filter(({ ruleId }) => !others(ruleId));
    expect(messages.map(nameOf)).toEqual([]);
  },
  fixed(block, rule) {
    const origin = originOf(block);
    expect(fixedBy(origin, rule)).toBe(block.code);
    expect(messagesOf(origin, rule, block.code).map(nameOf)).toEqual([]);
  },
  suggested(block, rule) {
    const origin = originOf(block);
    expect(suggestedBy(origin, rule, Number(block.claims[0] ?? 1))).toBe(block.code);
    expect(messagesOf(origin, rule, block.code).filter(({ fatal }) => fatal)).toEqual([]);
  },
  config(block) {
    expect(() => tokensOf(block)).not.toThrow();
  },
};

export function checkClaim(block: Block, rule: string): void {
  CLAIMS[block.kind](block, rule);
}

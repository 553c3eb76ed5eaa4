/** Keys with a TTL, as Redis keeps them. */

interface Entry {
  value: string;
  /** Infinity: it does not expire. */
  endsAtMs: number;
}

export class Store {
  readonly #nowMs: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #companions = new Map<string, Map<string, string>>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get(key: string): string | null {
    return this.#live(key)?.value ?? null;
  }

  /** As PTTL answers: -2 without the key, -1 without a TTL. */
  pttl(key: string): number {
    const entry = this.#live(key);
    if (!entry) return -2;
    return entry.endsAtMs === Infinity ? -1 : entry.endsAtMs - this.#nowMs();
  }

  set(key: string, value: string, ttlMs: number): void {
    this.#entries.set(key, { value, endsAtMs: this.#nowMs() + ttlMs });
  }

  expire(key: string, ttlMs: number): void {
    const entry = this.#live(key);
    if (entry) entry.endsAtMs = this.#nowMs() + ttlMs;
  }

  delete(key: string): boolean {
    const was = this.#live(key) !== undefined;
    this.#entries.delete(key);
    return was;
  }

  /** The fields of a companion, which outlive every lock of a test. */
  companion(key: string): Map<string, string> {
    const fields = this.#companions.get(key) ?? new Map<string, string>();
    this.#companions.set(key, fields);
    return fields;
  }

  #live(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (!entry || entry.endsAtMs > this.#nowMs()) return entry;
    this.#entries.delete(key);
    return undefined;
  }
}

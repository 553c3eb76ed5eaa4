/** Milliseconds of the machine's monotonic clock: the same for every process of this machine. */
export const clock = () => Number(process.hrtime.bigint()) / 1e6;

export function quantile(values, part) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
}

export const median = (values) => quantile(values, 0.5);

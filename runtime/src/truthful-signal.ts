/** Makes reads of a signal look first: `aborted` is then right before any timer has had a turn. */
export function tellTheTruth(signal: AbortSignal, look: () => void): void {
  const { get } = Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'aborted') as { get: () => boolean };
  const throwIfAborted = signal.throwIfAborted.bind(signal);
  Object.defineProperty(signal, 'aborted', {
    configurable: true,
    get: () => {
      look();
      return get.call(signal);
    },
  });
  Object.defineProperty(signal, 'throwIfAborted', {
    configurable: true,
    value: () => {
      look();
      throwIfAborted();
    },
  });
}

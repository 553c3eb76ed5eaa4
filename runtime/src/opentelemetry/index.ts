/** Metrics and spans of OpenTelemetry from the events of locks. */
import { diag, metrics, trace, type MeterProvider, type TracerProvider } from '@opentelemetry/api';
import { show, wrongType } from '../arguments.js';
import { listen, type LockEvent } from '../events.js';
import { metricsInto } from './metrics.js';
import { spansInto } from './spans.js';

/** What `observeLocks` takes. */
export interface ObserveLocksOptions {
  /** Where the metrics go; by default the global provider. */
  meterProvider?: MeterProvider;
  /** Where the spans go; by default the global provider. */
  tracerProvider?: TracerProvider;
  /**
   * The name of a key's kind, such as `order` for `order:lock:10086`: it becomes the attribute `lockproof.lock`. Keys
   * themselves are never sent: there are too many for metrics, and they may name people. Null leaves the attribute out.
   */
  nameOf?: (key: string) => string | null;
}

const SCOPE = 'lockproof';

/**
 * Sends what happens to all locks of this process to OpenTelemetry. Start the SDK first.
 *
 * @returns ends it
 * @throws TypeError when `nameOf` is no function
 */
export function observeLocks(options: ObserveLocksOptions = {}): () => void {
  const { meterProvider = metrics, tracerProvider = trace, nameOf = () => null } = options;
  if (typeof nameOf !== 'function') {
    wrongType(`nameOf must be a function from a key to a name, got ${show(nameOf)}`);
  }
  const attributesOf = ({ key }: LockEvent): Record<string, string> => {
    try {
      const name = nameOf(key);
      return name === null ? {} : { 'lockproof.lock': name };
    } catch (error) {
      // Thrown out of a subscriber it would end the process.
      diag.error('lockproof: nameOf threw, the event is sent without a name', error);
      return {};
    }
  };
  const measure = metricsInto(meterProvider.getMeter(SCOPE));
  const draw = spansInto(tracerProvider.getTracer(SCOPE));
  return listen((event) => {
    const attributes = attributesOf(event);
    measure(event, attributes);
    draw(event, attributes);
  });
}

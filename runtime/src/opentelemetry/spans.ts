/** Events into spans: an event tells how long something took, so its span is drawn when it has ended. */
import { SpanStatusCode, trace, type Attributes, type Tracer } from '@opentelemetry/api';
import type { LockEvent } from '../events.js';
import { errorType } from './metrics.js';

/** @returns takes an event, and what its lock is called; the span that is active then is the parent */
export function spansInto(tracer: Tracer): (event: LockEvent, lock: Attributes) => void {
  const draw = (name: string, ms: number, attributes: Attributes, error?: unknown): void => {
    const endTime = Date.now();
    const span = tracer.startSpan(name, { startTime: endTime - ms, attributes });
    if (error !== undefined) {
      const type = errorType(error);
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR, message: type });
    }
    span.end(endTime);
  };

  return (event, lock) => {
    switch (event.type) {
      case 'acquired':
      case 'busy': {
        const { type, waitMs, attempts } = event;
        draw('lockproof.acquire', waitMs, {
          ...lock,
          'lockproof.outcome': type,
          'lockproof.attempts': attempts,
        });
        break;
      }
      case 'failed':
        draw('lockproof.acquire', event.waitMs, { ...lock, 'lockproof.outcome': 'failed' }, event.error);
        break;
      case 'worked':
        draw('lockproof.work', event.workMs, lock);
        break;
      case 'lost': {
        // A loss takes no time: it stands in the span of whoever was at work.
        const span = trace.getActiveSpan();
        const attributes = { ...lock, 'lockproof.reason': event.reason, 'lockproof.found_at': event.at };
        if (span?.isRecording()) span.addEvent('lockproof.lost', attributes);
        break;
      }
    }
  };
}

/** Events into counters and histograms. */
import type { Attributes, Meter } from '@opentelemetry/api';
import type { LockEvent } from '../events.js';

/** Seconds, as OpenTelemetry wants durations: from a fast round trip to a long hold. */
const BOUNDARIES = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The name of an error for `error.type`: its code, else its class. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** @returns takes an event, and what its lock is called */
export function metricsInto(meter: Meter): (event: LockEvent, lock: Attributes) => void {
  const counter = (name: string, unit: string, description: string) =>
    meter.createCounter(name, { unit, description });
  const duration = (name: string, description: string) => {
    const advice = { explicitBucketBoundaries: BOUNDARIES };
    const histogram = meter.createHistogram(name, { unit: 's', description, advice });
    return (ms: number, attributes: Attributes): void => {
      histogram.record(ms / 1_000, attributes);
    };
  };
  const acquisitions = counter('lockproof.acquisitions', '{acquisition}', 'Locks that were asked for');
  const renewals = counter('lockproof.renewals', '{renewal}', 'Renewals of leases');
  const releases = counter('lockproof.releases', '{release}', 'Releases that were sent');
  const losses = counter('lockproof.losses', '{loss}', 'Leases that were lost before their work ended');
  const wait = duration('lockproof.wait.duration', 'From the call of acquire to its answer');
  const hold = duration('lockproof.hold.duration', 'From taking a lock to its release');
  const work = duration('lockproof.work.duration', 'The work under a lock');
  const roundTrip = duration('lockproof.round_trip.duration', 'From sending a command to its answer');

  return (event, lock) => {
    switch (event.type) {
      case 'acquired':
      case 'busy':
      case 'failed': {
        const attributes = { ...lock, 'lockproof.outcome': event.type };
        const more = event.type === 'failed' ? { 'error.type': errorType(event.error) } : {};
        acquisitions.add(1, { ...attributes, ...more });
        wait(event.waitMs, attributes);
        break;
      }
      case 'renewed':
        renewals.add(1, { ...lock, 'lockproof.outcome': 'renewed' });
        roundTrip(event.roundTripMs, { ...lock, 'lockproof.command': 'renew' });
        break;
      case 'renewal-failed':
        renewals.add(1, { ...lock, 'lockproof.outcome': 'failed', 'error.type': errorType(event.error) });
        break;
      case 'released':
        releases.add(1, { ...lock, 'lockproof.outcome': event.outcome, 'lockproof.late': event.late });
        hold(event.holdMs, lock);
        if (event.outcome !== 'unconfirmed') {
          roundTrip(event.roundTripMs, { ...lock, 'lockproof.command': 'release' });
        }
        break;
      case 'lost':
        losses.add(1, { ...lock, 'lockproof.reason': event.reason, 'lockproof.found_at': event.at });
        break;
      case 'worked':
        work(event.workMs, lock);
        break;
    }
  };
}

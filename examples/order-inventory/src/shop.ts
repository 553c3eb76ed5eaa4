/** What the service before and after the repair has in common. */
import type { Database } from './database/database.js';

export interface Order {
  /** Chosen by the caller and kept when the request is sent again. */
  readonly id: string;
  readonly sku: string;
  readonly units: number;
}

/** Charges an order; `false` when the payment is declined. May take longer than anybody expects. */
export type Pay = (order: Order) => Promise<boolean>;

export interface Shop {
  readonly db: Database;
  readonly pay: Pay;
}

export type Outcome = 'placed' | 'busy' | 'declined' | 'sold out';

/** Names of tables and columns, quoted: whatever they hold, they stay names. */
import { show, wrongType } from '../arguments.js';

/** PostgreSQL cuts longer names without an error, and would then mean another table or column. */
const LONGEST_NAME_BYTES = 63;

function quote(name: string, argument: string): string {
  if (name === '') return wrongType(`${argument} has an empty name`);
  if (name.includes('\0')) return wrongType(`${argument} ${show(name)} holds a NUL character`);
  if (Buffer.byteLength(name) > LONGEST_NAME_BYTES) {
    return wrongType(
      `${argument} ${show(name)} is longer than the ${LONGEST_NAME_BYTES} bytes that PostgreSQL keeps of a name`,
    );
  }
  return `"${name.replaceAll('"', '""')}"`;
}

/** `stock` or `shop.stock`. */
export function quoteTable(table: unknown): string {
  if (typeof table !== 'string')
    return wrongType(`table must be a string such as "stock" or "shop.stock", got ${show(table)}`);
  const parts = table.split('.');
  if (parts.length > 2) {
    return wrongType(`table must be a name or schema.name, got ${show(table)}`);
  }
  return parts.map((part) => quote(part, 'table')).join('.');
}

export function quoteColumn(column: unknown, argument: string): string {
  if (typeof column !== 'string')
    return wrongType(`${argument} must be the name of a column, got ${show(column)}`);
  return quote(column, argument);
}

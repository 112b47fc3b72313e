import type { CommandParameters } from './contract.ts';
import { CodecError } from './errors.ts';
import { fromHex } from './reader.ts';

const PRINTABLE = /^[\x20-\x7e\r\n\t]+$/;
const HEX = /^(?:[0-9a-fA-F]{2})+$/;
const INTEGER = /^-?\d{1,15}$/;

/** A parameter that is plain ASCII text of at most `longest` characters. Throws CodecError `bad-parameter`. */
export function textParameter(params: CommandParameters, key: string, longest: number): string {
  const value = params[key];
  if (value === undefined || value === '') throw new CodecError('bad-parameter', `${key} is missing`);
  const text = String(value);
  if (!PRINTABLE.test(text)) throw new CodecError('bad-parameter', `${key} is not plain ASCII text`);
  if (text.length > longest) throw new CodecError('bad-parameter', `${key} is longer than ${longest} characters`);
  return text;
}

/** A whole number, as a number or as text. Throws CodecError `bad-parameter` for anything else or out of bounds. */
export function integerParameter(params: CommandParameters, key: string, min: number, max: number): number {
  const value = params[key];
  if (value === undefined || value === '') throw new CodecError('bad-parameter', `${key} is missing`);
  const number = INTEGER.test(String(value)) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) {
    throw new CodecError('bad-parameter', `${key} is no whole number from ${min} to ${max}`);
  }
  return number;
}

/** Whether a text is one or more pairs of hex digits. */
export const isHex = (text: string): boolean => HEX.test(text);

/** Bytes given as pairs of hex digits, at most `most` of them. Throws CodecError `bad-parameter`. */
export function bytesParameter(params: CommandParameters, key: string, most: number): Uint8Array {
  const text = textParameter(params, key, 2 * most);
  if (!isHex(text)) throw new CodecError('bad-parameter', `${key} is not pairs of hex digits`);
  return fromHex(text);
}

const TICKET = /^\d{1,15}$/;

/** A ticket as a number of the wire. Throws CodecError `bad-parameter` if it is not a number up to `max`. */
export function ticketNumber(ticket: string, max: number): number {
  const number = TICKET.test(ticket) ? Number(ticket) : Number.NaN;
  if (!(number <= max)) throw new CodecError('bad-parameter', `a ticket is a number up to ${max}`);
  return number;
}

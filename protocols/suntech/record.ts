import { CodecError, type Fields, isDigits, type Message, type Position, utcOfDigits } from '#codec';

/** What a message says: who sent it (absent where that is not told) and what follows. */
export interface Reading {
  readonly id?: string;
  readonly messages: readonly Message[];
}

export const NOTHING: Reading = { messages: [] };

/** Date and time in two fields, `yyyymmdd` and `hh:mm:ss`, UTC. */
export function clockOf(fields: Fields): number {
  const date = fields.text();
  const time = fields.text();
  const digits = time.length === 8 ? date + time.slice(0, 2) + time.slice(3, 5) + time.slice(6) : '';
  if (!isDigits(digits, 14)) throw new CodecError('bad-text', `${date.slice(0, 16)} ${time.slice(0, 16)} is no time`);
  return utcOfDigits(digits);
}

/** The device's answer to a command: what it said, as a record and as an answer. */
export function answered(position: Position, text: string): readonly Message[] {
  return [position, { type: 'answer', outcome: 'done', text }];
}

export const isOn = (text: string): boolean => text === '1';

/** Models whose messages name the model in a field of its own. */
export const hasModelField = (model: string): boolean =>
  model.startsWith('ST3') || model === 'ST500' || model === 'ST600';

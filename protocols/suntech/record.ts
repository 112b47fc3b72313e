import { type Message, statusPosition, textAnswer } from '#codec';

/** The device id of a message (absent if it is not sent) and the rest. */
export interface Reading {
  readonly id?: string;
  readonly messages: readonly Message[];
}

export const NOTHING: Reading = { messages: [] };

/** The device's answer to a command: what it said, as a record and as an answer. */
export const answered = (type: string, result: string): readonly Message[] => [
  statusPosition({ type, result }),
  textAnswer(result),
];

/** Models whose messages name the model in a field of its own. */
export const hasModelField = (model: string): boolean =>
  model.startsWith('ST3') || model === 'ST500' || model === 'ST600';

import { CodecError, type Message, type Position } from '#codec';
import { clockOf, type FrameCase, type Subject } from './subject.ts';

/** What `decode` returns for a frame, apart from framing and checksum; undefined if it throws CodecError. */
export function messagesOf({ protocol }: Subject, one: FrameCase, frame: Uint8Array): readonly Message[] | undefined {
  const { fixture, state } = one;
  const context = { transport: fixture.transport, state, options: fixture.options ?? {}, now: clockOf(fixture) };
  try {
    return protocol.decode(frame, context).messages;
  } catch (error) {
    if (error instanceof CodecError) return undefined;
    throw error;
  }
}

export const positionsIn = (messages: readonly Message[]): Position[] => messages.filter((m) => m.type === 'position');

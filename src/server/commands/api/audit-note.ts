import type { AuditNote, NewCommand } from '../../../contract/command.ts';
import { withActingKey } from '../../kernel/audit/index.ts';

/** Who requests a command, for the audit trail. */
export type RequestNote = Omit<AuditNote, 'after'> & {
  /** id of the key that acts on behalf of the actor */
  readonly viaKey: string | undefined;
};

type Noted = Pick<NewCommand, 'type' | 'text' | 'params' | 'batchId' | 'conditions'>;

/** What the audit trail keeps of a command: the device, and what is sent to it under which conditions. */
export function auditNote(given: RequestNote | undefined, imei: string, command: Noted): AuditNote | undefined {
  if (given === undefined) return undefined;
  const { viaKey, ...note } = given;
  const { type, text, params, batchId, conditions } = command;
  const after = {
    imei,
    type,
    // a text of the operator's own is its only parameter
    ...(type === 'custom' ? { gprsCommand: text } : { attributes: params, text }),
    ...(batchId === undefined ? {} : { batchId }),
    ...(conditions === undefined ? {} : { conditions }),
  };
  return { ...note, after: viaKey === undefined ? after : withActingKey(after, viaKey) };
}

import { type FormEvent, useState } from 'react';
import { Modal } from '../../parts/modal.tsx';
import { useSession } from '../../session.tsx';

/** An instant as an input of date and time has it, UTC: tachographs have UTC days. */
const toUtcInput = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
export const fromUtcInput = (value: FormDataEntryValue | null): string => `${String(value)}:00Z`;

/** The fields `from` and `to`. `ms`: length that is proposed, from `start` (epoch ms). */
export function UtcFields({ start, ms }: { readonly start: number; readonly ms: number }) {
  const { t } = useSession();
  return (['from', 'to'] as const).map((end, n) => (
    <label key={end} className="check">
      {t(end === 'from' ? 'tacho.fromUtc' : 'tacho.toUtc')}
      <input type="datetime-local" name={end} required defaultValue={toUtcInput(start + n * ms)} />
    </label>
  ));
}

export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

/** A row that was revoked says by whom and why; one in force has a button that asks why. */
export function Revocation({
  row: { revokedByName, revokedAt, revokedReason },
  name,
  onRevoke,
}: {
  readonly row: {
    readonly revokedByName: string | null;
    readonly revokedAt: string | null;
    readonly revokedReason: string | null;
  };
  /** of the row, for the label of its button */
  readonly name: string;
  /** without it nothing can be revoked */
  readonly onRevoke: ((reason: string) => void) | undefined;
}) {
  const { t, time } = useSession();
  const [isAsking, setAsking] = useState(false);
  if (revokedAt !== null) {
    return (
      <span className="quiet">
        {t('tacho.revokedBy', { by: revokedByName ?? '', at: time(revokedAt), reason: revokedReason ?? '' })}
      </span>
    );
  }
  if (onRevoke === undefined) return null;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setAsking(false);
    onRevoke(textOf(new FormData(event.currentTarget), 'reason'));
  };
  return (
    <>
      <button type="button" aria-label={`${t('tacho.withdraw')}: ${name}`} onClick={() => setAsking(true)}>
        {t('tacho.withdraw')}
      </button>
      {isAsking && (
        <Modal label={`${t('tacho.withdraw')}: ${name}`} onClose={() => setAsking(false)}>
          <form className="form" onSubmit={submit}>
            <label>
              {t('ops.reason')}
              <input name="reason" required maxLength={2_000} />
            </label>
            <div className="actions">
              <button type="submit" className="primary">
                {t('tacho.withdraw')}
              </button>
              <button type="button" onClick={() => setAsking(false)}>
                {t('command.keep')}
              </button>
            </div>
          </form>
        </Modal>
      )}
    </>
  );
}

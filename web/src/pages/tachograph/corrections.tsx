import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { answerOf, api } from '../../api.ts';
import { CORRECTED_ACTIVITIES, CORRECTION_KINDS } from '../../lists.ts';
import { useAction } from '../../parts/action.tsx';
import { Table } from '../../parts/listing.tsx';
import { ReadingProblem } from '../../parts/problem.tsx';
import { useSession } from '../../session.tsx';
import { fromUtcInput, Revocation, textOf, UtcFields } from './revocable.tsx';
import { dateText } from './shared.tsx';

const HOUR_MS = 3_600_000;

export interface Interval {
  readonly id: string;
  /** days */
  readonly from: string;
  readonly to: string;
}

/** What persons have said of recorded time, with author and reason, and a form for one more. Files stay as they are. */
export function Corrections({ id, from, to }: Interval) {
  const { t, time, may } = useSession();
  const { run, isRunning, result } = useAction(['tachograph']);
  const list = useQuery({
    queryKey: ['tachograph', 'corrections', id, from],
    queryFn: async () => {
      const query = { driver_id: id, from: `${from}T00:00:00Z`, to: `${to}T23:59:59Z`, limit: 500 };
      return (await answerOf(api.GET('/v1/drivers/ddd/corrections', { params: { query } }))).items;
    },
  });
  const revoke = (correction: string, reason: string): Promise<void> =>
    run(async () => {
      const params = { path: { id: correction } };
      await answerOf(api.POST('/v1/drivers/ddd/corrections/{id}/revoke', { params, body: { reason } }));
      return t('correction.revoked');
    });
  const add = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void run(async () => {
      const body = {
        driverId: id,
        kind: CORRECTION_KINDS.find((each) => each === form.get('kind'))!,
        activity: CORRECTED_ACTIVITIES.find((each) => each === form.get('activity'))!,
        from: fromUtcInput(form.get('from')),
        to: fromUtcInput(form.get('to')),
        reason: textOf(form, 'reason'),
      };
      await answerOf(api.POST('/v1/drivers/ddd/corrections', { body }));
      return t('correction.added');
    });
  };
  const start = Date.parse(`${from}T06:00:00Z`);
  return (
    <section className="card" aria-label={t('correction.title')}>
      <h2>{t('correction.title')}</h2>
      <p className="quiet">{t('correction.note')}</p>
      <ReadingProblem query={list} />
      {list.data?.length === 0 && <p>{t('correction.none')}</p>}
      {list.data !== undefined && list.data.length > 0 && (
        <Table
          head={[
            t('tacho.period'),
            t('correction.kind'),
            t('correction.into'),
            t('ops.reason'),
            t('correction.by'),
            t('ops.action'),
          ]}
        >
          {list.data.map((each) => (
            <tr key={each.id}>
              <td>{utcRange(each)}</td>
              <td>{t(`correctionKind.${each.kind}`)}</td>
              <td>{t(`activity.${each.activity}`)}</td>
              <td>{each.reason}</td>
              <td>
                {each.createdByName}
                <div className="quiet">{time(each.createdAt)}</div>
              </td>
              <td>
                <Revocation
                  row={each}
                  name={utcRange(each)}
                  onRevoke={may('ddd:write') ? (reason) => void revoke(each.id, reason) : undefined}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {may('ddd:write') && (
        <details>
          <summary>{t('correction.add')}</summary>
          <form className="actions" onSubmit={add} aria-label={t('correction.add')}>
            <label className="check">
              {t('correction.kind')}
              <select name="kind">
                {CORRECTION_KINDS.map((kind) => (
                  <option key={kind} value={kind}>
                    {t(`correctionKind.${kind}`)}
                  </option>
                ))}
              </select>
            </label>
            <UtcFields start={start} ms={HOUR_MS} />
            <label className="check">
              {t('correction.into')}
              <select name="activity">
                {CORRECTED_ACTIVITIES.map((activity) => (
                  <option key={activity} value={activity}>
                    {t(`activity.${activity}`)}
                  </option>
                ))}
              </select>
            </label>
            <label className="check">
              {t('ops.reason')}
              <input name="reason" required maxLength={2_000} />
            </label>
            <button type="submit" className="primary" disabled={isRunning}>
              {t('correction.add')}
            </button>
          </form>
        </details>
      )}
      {result}
    </section>
  );
}

/** `03/03/2026 09:00–09:45`, UTC as the days beside it. */
export function utcRange({ from, to }: { readonly from: string; readonly to: string }): string {
  const [first, last] = [from.slice(0, 10), to.slice(0, 10)];
  return `${dateText(first)} ${from.slice(11, 16)}–${first === last ? '' : `${dateText(last)} `}${to.slice(11, 16)}`;
}

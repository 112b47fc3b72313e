import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { answerOf, api } from '../../api.ts';
import { ATTESTED_ACTIVITIES } from '../../lists.ts';
import { useAction } from '../../parts/action.tsx';
import { Table } from '../../parts/listing.tsx';
import { ReadingProblem } from '../../parts/problem.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useSession } from '../../session.tsx';
import type { Interval } from './corrections.tsx';
import { utcRange } from './corrections.tsx';
import { fromUtcInput, Revocation, textOf, UtcFields } from './revocable.tsx';
import { dateText } from './shared.tsx';

const DAY_MS = 86_400_000;

/** Texts of the form that are the same for each attestation of a driver, in the order of its fields. */
const TEXTS = [
  ['name', 'attestation.signatory', 'text'],
  ['position', 'attestation.position', 'text'],
  ['birthDate', 'attestation.birthDate', 'date'],
  ['document', 'attestation.document', 'text'],
  ['employedSince', 'attestation.employedSince', 'date'],
  ['place', 'attestation.place', 'text'],
] as const;

/** Forms for time that the tachograph could not record. What the last one says is proposed for the next. */
export function Attestations({ id, from, to }: Interval) {
  const { t, may, language } = useSession();
  const { run, isRunning, result } = useAction(['tachograph']);
  const list = useQuery({
    queryKey: ['tachograph', 'attestations', id],
    queryFn: async () => {
      const query = { driver_id: id, limit: 500 };
      return (await answerOf(api.GET('/v1/drivers/ddd/attestations', { params: { query } }))).items;
    },
  });
  const last = list.data?.at(-1);
  const proposed: Readonly<Record<(typeof TEXTS)[number][0], string | undefined>> = {
    name: last?.signatory.name,
    position: last?.signatory.position,
    birthDate: last?.driver.birthDate,
    document: last?.driver.document,
    employedSince: last?.driver.employedSince,
    place: last?.place,
  };
  const shown = list.data?.filter((each) => each.from < `${to}T24` && each.to > `${from}T00`);
  const revoke = (attestation: string, reason: string): Promise<void> =>
    run(async () => {
      const params = { path: { id: attestation } };
      await answerOf(api.POST('/v1/drivers/ddd/attestations/{id}/revoke', { params, body: { reason } }));
      return t('attestation.revoked');
    });
  const print = (attestation: string): Promise<void> =>
    run(async () => {
      const path = `/v1/drivers/ddd/attestations/${attestation}/file`;
      await saveFile({ path, name: `attestation-${attestation}.pdf` });
      return undefined;
    });
  const issue = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void run(async () => {
      const body = {
        driverId: id,
        activity: ATTESTED_ACTIVITIES.find((each) => each === form.get('activity'))!,
        from: fromUtcInput(form.get('from')),
        to: fromUtcInput(form.get('to')),
        signatory: { name: textOf(form, 'name'), position: textOf(form, 'position') },
        driver: {
          birthDate: textOf(form, 'birthDate'),
          document: textOf(form, 'document'),
          employedSince: textOf(form, 'employedSince'),
        },
        place: textOf(form, 'place'),
        lang: language,
      };
      await answerOf(api.POST('/v1/drivers/ddd/attestations', { body }));
      return t('attestation.issued');
    });
  };
  const start = Date.parse(`${from}T00:00:00Z`);
  return (
    <section className="card" aria-label={t('attestation.title')}>
      <h2>{t('attestation.title')}</h2>
      <p className="quiet">{t('attestation.note')}</p>
      <ReadingProblem query={list} />
      {shown?.length === 0 && <p>{t('attestation.none')}</p>}
      {shown !== undefined && shown.length > 0 && (
        <Table head={[t('tacho.period'), t('attestation.activity'), t('attestation.signatory'), t('ops.action')]}>
          {shown.map((each) => (
            <tr key={each.id}>
              <td>{utcRange(each)}</td>
              <td>{t(`attested.${each.activity}`)}</td>
              <td>
                {each.signatory.name}
                <div className="quiet">{dateText(each.date)}</div>
              </td>
              <td className="actions">
                <button
                  type="button"
                  disabled={isRunning}
                  aria-label={`PDF: ${utcRange(each)}`}
                  onClick={() => void print(each.id)}
                >
                  PDF
                </button>
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
      {may('ddd:write') && list.data !== undefined && (
        <details>
          <summary>{t('attestation.issue')}</summary>
          <form className="actions" onSubmit={issue} aria-label={t('attestation.issue')}>
            <label className="check">
              {t('attestation.activity')}
              <select name="activity">
                {ATTESTED_ACTIVITIES.map((activity) => (
                  <option key={activity} value={activity}>
                    {t(`attested.${activity}`)}
                  </option>
                ))}
              </select>
            </label>
            <UtcFields start={start} ms={DAY_MS} />
            {TEXTS.map(([name, label, type]) => (
              <label key={name} className="check">
                {t(label)}
                <input type={type} name={name} required maxLength={200} defaultValue={proposed[name]} />
              </label>
            ))}
            <button type="submit" className="primary" disabled={isRunning}>
              {t('attestation.issue')}
            </button>
          </form>
        </details>
      )}
      {result}
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import type { paths } from '../../../../dist/client/fleetgate.d.ts';
import { answerOf, api } from '../../api.ts';
import { useAction } from '../../parts/action.tsx';
import { Table } from '../../parts/listing.tsx';
import { Loaded } from '../../parts/problem.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useSession } from '../../session.tsx';
import { DriverLink, TachographPage, useDrivers, Verdict } from './shared.tsx';

const route = getRouteApi('/tachograph/files/$id');

/** One download: what it is, the result of each signature, what is wrong with it. */
export function FilePage() {
  const { t } = useSession();
  const { id } = route.useParams();
  const query = useQuery({
    queryKey: ['tachograph', 'file', id],
    queryFn: () => answerOf(api.GET('/v1/drivers/ddd/files/{id}', { params: { path: { id } } })),
  });
  return (
    <Loaded query={query} waiting={<p className="notice">{t('loading')}</p>}>
      {(file) => <Download file={file} />}
    </Loaded>
  );
}

type ArchivedFile = paths['/v1/drivers/ddd/files/{id}']['get']['responses']['200']['content']['application/json'];

function Download({ file }: { readonly file: ArchivedFile }) {
  const { t, time, number, may } = useSession();
  const { id } = route.useParams();
  const names = useDrivers();
  const { run, result } = useAction(['tachograph']);
  const save = (): Promise<void> =>
    run(async () => {
      await saveFile({ path: `/v1/drivers/ddd/files/${id}/content`, name: file.name.split('/').at(-1)! });
      return undefined;
    });
  return (
    <TachographPage title={file.name}>
      <div className="actions">
        <Verdict verdict={file.signature.verdict} />
        {file.incomplete && <span className="tag warn">{t('tacho.incomplete')}</span>}
        <button type="button" onClick={() => void save()}>
          {t('vehicle.download')}
        </button>
        {result}
      </div>
      <dl className="card">
        <dt>{t('device.kind')}</dt>
        <dd>
          {t(`fileKind.${file.kind}`)} {file.generations.join(', ')}
        </dd>
        <dt>{t('tacho.owner')}</dt>
        <dd>
          {file.driverId !== null && (
            <DriverLink id={file.driverId} name={names.get(file.driverId)} month={file.coverage?.to.slice(0, 7)} />
          )}{' '}
          {file.card !== null && `${file.card.holder} · ${file.card.number}`} {file.targa} {file.vin}
        </dd>
        <dt>{t('tacho.period')}</dt>
        <dd>
          {file.coverage === null
            ? t('vehicle.none')
            : `${file.coverage.from} – ${file.coverage.to} (${t('tacho.days', { n: file.coverage.days })})`}
        </dd>
        <dt>{t('tacho.lastDownload')}</dt>
        <dd>{time(file.downloadedAt)}</dd>
        <dt>{t('tacho.uploaded')}</dt>
        <dd>
          {time(file.uploadedAt)} · {number(file.size)} B
        </dd>
        <dt>SHA-256</dt>
        <dd>
          <code>{file.sha256}</code>
        </dd>
      </dl>
      <section>
        <h2>{t('tacho.signatures')}</h2>
        <Table head={[t('tacho.part'), t('tacho.signature'), t('ops.reason')]}>
          {file.signatures.map(({ file: part, verdict, reason, date }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one name repeat, and the list does not change
            <tr key={index}>
              <td>
                {part} {date}
              </td>
              <td>
                <Verdict verdict={verdict} />
              </td>
              <td>{reason}</td>
            </tr>
          ))}
        </Table>
      </section>
      {file.warnings.length > 0 && (
        <section>
          <h2>{t('tacho.warnings')}</h2>
          <ul>
            {file.warnings.map(({ code, where, detail, offset }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <li key={index}>
                <code>{code}</code> {where}: {detail}{' '}
                {offset !== undefined && <span className="quiet">@ {offset}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {may('ddd:write') && file.signature.verdict === 'invalid' && (
        <Admission id={id} admission={file.admission} run={run} />
      )}
    </TachographPage>
  );
}

interface AdmissionProps {
  readonly id: string;
  readonly admission: { readonly by: string; readonly at: string; readonly reason: string } | null;
  readonly run: (change: () => Promise<string | undefined>) => Promise<void>;
}

function Admission({ id, admission, run }: AdmissionProps) {
  const { t, time } = useSession();
  const decide = (admitted: boolean, reason: string): Promise<void> =>
    run(async () => {
      const body = admitted ? { admitted, reason } : { admitted, reason: reason || '–' };
      await answerOf(api.PUT('/v1/drivers/ddd/files/{id}/admission', { params: { path: { id } }, body }));
      return undefined;
    });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void decide(admission === null, String(new FormData(event.currentTarget).get('reason')));
  };
  return (
    <form className="card send" onSubmit={submit} aria-label={t('tacho.admission')}>
      <p className="wide">
        {admission === null
          ? t('tacho.notAdmitted')
          : t('tacho.admittedBy', { by: admission.by, at: time(admission.at), reason: admission.reason })}
      </p>
      <label className="wide">
        {t('ops.reason')}
        <input name="reason" required maxLength={500} />
      </label>
      <button type="submit">{admission === null ? t('tacho.admit') : t('tacho.withdraw')}</button>
    </form>
  );
}

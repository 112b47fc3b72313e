import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { answerOf, api } from '../../api.ts';
import { useAction } from '../../parts/action.tsx';
import { Choice, Filters } from '../../parts/filters.tsx';
import { Listing, Table } from '../../parts/listing.tsx';
import { type Cursor, usePages } from '../../parts/pages.ts';
import { useSession } from '../../session.tsx';
import { DriverField, DriverLink, TachographPage, useDrivers, Verdict } from './shared.tsx';
import { UploadArea } from './upload.tsx';

const route = getRouteApi('/tachograph/files');
const PAGE = 100;

type File = Awaited<ReturnType<typeof readPage>>['items'][number];

const readPage = (isWaiting: boolean, cursor: Cursor) =>
  answerOf(
    api.GET('/v1/drivers/ddd/files', {
      params: { query: { limit: PAGE, ...(isWaiting && { waiting: true }), ...cursor } },
    }),
  );

export function FilesPage() {
  const { t, may } = useSession();
  const { state } = route.useSearch();
  const navigate = useNavigate({ from: '/tachograph/files' });
  const action = useAction(['tachograph']);
  const isWaiting = state === 'waiting';
  const list = usePages(['tachograph', 'files', isWaiting], (cursor) => readPage(isWaiting, cursor), {
    // the analysis of new files takes a moment
    refetchAfter: (pages) =>
      pages.some(({ items }) => items.some(({ status }) => status === 'stored')) ? 3_000 : false,
  });
  const files = list.data?.pages.flatMap(({ items }) => items);
  return (
    <TachographPage title={t('tacho.files')}>
      {may('ddd:write') && <UploadArea />}
      <Filters>
        <Choice
          label={t('alarm.state')}
          values={['waiting'] as const}
          value={isWaiting ? 'waiting' : undefined}
          text={() => t('tacho.waitingFiles')}
          onChange={(next) => void navigate({ search: next === undefined ? {} : { state: next }, replace: true })}
        />
      </Filters>
      {isWaiting && may('ddd:write') && files !== undefined && files.length > 0 && (
        <Assign files={files} run={action.run} isRunning={action.isRunning} />
      )}
      {action.result}
      <Listing query={list} items={files} empty={isWaiting ? t('tacho.noWaiting') : t('tacho.noFiles')}>
        {(items) => <FileTable files={items} />}
      </Listing>
    </TachographPage>
  );
}

function FileTable({ files }: { files: readonly File[] }) {
  const { t, time } = useSession();
  const names = useDrivers();
  return (
    <Table
      head={[
        t('tacho.file'),
        t('device.kind'),
        t('tacho.owner'),
        t('tacho.period'),
        t('tacho.signature'),
        t('alarm.state'),
        t('tacho.uploaded'),
      ]}
    >
      {files.map((file) => (
        <tr key={file.fileId}>
          <td className="answer">
            <Link to="/tachograph/files/$id" params={{ id: file.fileId }}>
              {file.name}
            </Link>
          </td>
          <td>
            {t(`fileKind.${file.kind}`)} <span className="quiet">{file.generations.join(', ')}</span>
          </td>
          <td>
            {file.driverId === null ? (
              (file.targa ?? file.card?.holder ?? file.vin ?? t('vehicle.none'))
            ) : (
              <DriverLink id={file.driverId} name={names.get(file.driverId)} month={file.coverage?.to.slice(0, 7)} />
            )}
          </td>
          <td>{file.coverage === null ? t('vehicle.none') : `${file.coverage.from} – ${file.coverage.to}`}</td>
          <td>
            <Verdict verdict={file.signature.verdict} />{' '}
            {file.incomplete && <span className="tag warn">{t('tacho.incomplete')}</span>}
          </td>
          <td>{t(`fileStatus.${file.status}`)}</td>
          <td>{time(file.uploadedAt)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Whose the cards of files of unknown drivers are. */
function Assign({
  files,
  run,
  isRunning,
}: {
  files: readonly File[];
  run: (change: () => Promise<string | undefined>) => Promise<void>;
  isRunning: boolean;
}) {
  const { t, may } = useSession();
  const names = useDrivers();
  const [chosen, setChosen] = useState<string>(files[0]!.fileId);
  const create = (): Promise<void> =>
    run(async () => {
      const { items } = await answerOf(api.POST('/v1/drivers/ddd/drivers', { body: {} }));
      return t('tacho.driversCreated', { n: items.filter(({ created }) => created).length });
    });
  const bind = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const driverId = String(new FormData(event.currentTarget).get('driver'));
    void run(async () => {
      await answerOf(api.POST('/v1/drivers/ddd/bind', { body: { fileIds: [chosen], driverId } }));
      return t('tacho.bound');
    });
  };
  return (
    <form className="card send" onSubmit={bind} aria-label={t('tacho.assign')}>
      <label>
        {t('tacho.file')}
        <select value={chosen} onChange={(event) => setChosen(event.target.value)}>
          {files.map(({ fileId, name, card }) => (
            <option key={fileId} value={fileId}>
              {card?.holder ?? name}
            </option>
          ))}
        </select>
      </label>
      <DriverField names={names} />
      <button type="submit" disabled={isRunning || names.size === 0}>
        {t('tacho.bind')}
      </button>
      {may('drivers:write') && (
        <button type="button" disabled={isRunning} onClick={() => void create()}>
          {t('tacho.createDrivers')}
        </button>
      )}
    </form>
  );
}

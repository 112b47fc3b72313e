import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { ApiProblem, answerOf, api, every } from '../../api.ts';
import { useSession } from '../../session.tsx';
import { type Batch, type Result, type Sender, senderOf } from './sending.ts';

const KINDS = { stored: 'good', duplicate: 'warn', rejected: 'bad' } as const;
const ASK_MS = 1_000;
const NOT_FOUND = 404;

/** Takes files that are dropped or chosen, and shows what becomes of them, of those that were sent before too. */
export function UploadArea() {
  const { t, me } = useSession();
  const queries = useQueryClient();
  const picker = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const sender = senderOf(me.user.id);
  const { batches, jobs } = useSyncExternalStore(sender.subscribe, sender.snapshot);
  const take = async (files: readonly File[]): Promise<void> => {
    await sender.take(files);
    await queries.invalidateQueries({ queryKey: ['tachograph'] });
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void take([...event.dataTransfer.files]);
  };
  return (
    <section aria-label={t('tacho.upload')}>
      {/* the button inside is what keyboards and screen readers use */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div
        className={isOver ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <span>{t('tacho.drop')}</span>
        <button type="button" className="primary" onClick={() => picker.current?.click()}>
          {t('tacho.choose')}
        </button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label={t('tacho.choose')}
          onChange={(event) => {
            void take([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
      </div>
      {batches.map((batch) => (
        <BatchRows key={batch.id} batch={batch} sender={sender} />
      ))}
      {jobs.map((id) => (
        <Job key={id} id={id} sender={sender} />
      ))}
    </section>
  );
}

function BatchRows({ batch, sender }: { batch: Batch; sender: Sender }) {
  const { t } = useSession();
  const { id, name, files, state, progress, results } = batch;
  const title = files === 1 ? name : t('upload.files', { n: files });
  return (
    <Rows
      results={results}
      onForget={state === 'answered' || state === 'unanswered' ? () => sender.forgetBatch(id) : undefined}
    >
      {state !== 'answered' && (
        <>
          <span>{title}</span>
          {state === 'unanswered' ? (
            <span className="tag bad">{t('upload.unanswered')}</span>
          ) : (
            <>
              <progress value={progress} aria-label={title} />
              <span className="quiet">{t(`upload.${state}`)}</span>
            </>
          )}
        </>
      )}
    </Rows>
  );
}

/** An upload that the server works on, or has worked on. */
function Job({ id, sender }: { id: string; sender: Sender }) {
  const { t, time } = useSession();
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ['upload', id],
    queryFn: () => answerOf(api.GET('/v1/drivers/ddd/uploads/{id}', { params: { path: { id } } })),
    refetchInterval: (query) => every(query.state.data?.state === 'running' ? ASK_MS : false)(query),
  });
  const isGone = error instanceof ApiProblem && error.status === NOT_FOUND;
  useEffect(() => {
    // the archive keeps no uploads that are older than its files
    if (isGone) sender.forgetJob(id);
  }, [isGone, sender, id]);
  const [done, state] = [data?.done, data?.state];
  useEffect(() => {
    if (done !== undefined && state !== undefined) void queries.invalidateQueries({ queryKey: ['tachograph'] });
  }, [queries, done, state]);
  if (data === undefined) return error === null || isGone ? null : <p className="quiet">{error.message}</p>;
  const title = t('upload.job', { n: data.files, at: time(data.createdAt) });
  return (
    <Rows results={data.results} onForget={data.state === 'running' ? undefined : () => sender.forgetJob(id)}>
      <span>{title}</span>
      {data.state === 'running' && <progress value={data.done} max={data.files} aria-label={title} />}
      <span className={data.state === 'failed' ? 'tag bad' : 'quiet'} role="status">
        {data.state === 'failed' ? t('upload.failed') : t('upload.progress', { done: data.done, files: data.files })}
      </span>
    </Rows>
  );
}

interface RowsProps {
  readonly results: readonly Result[];
  /** undefined: it is still worked on */
  readonly onForget: (() => void) | undefined;
  readonly children: ReactNode;
}

function Rows({ results, onForget, children }: RowsProps) {
  const { t } = useSession();
  return (
    <ul className="uploads" aria-live="polite">
      {(children !== false || onForget !== undefined) && (
        <li>
          {children}
          {onForget !== undefined && (
            <button type="button" onClick={onForget}>
              {t('upload.forget')}
            </button>
          )}
        </li>
      )}
      {results.map(({ name, outcome, problem }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: results are only added, and names may repeat
        <li key={index}>
          <span>{name}</span>
          <span className={`tag ${KINDS[outcome]}`}>{t(`upload.${outcome}`)}</span>
          {problem && <span className="quiet">{problem.detail}</span>}
        </li>
      ))}
    </ul>
  );
}

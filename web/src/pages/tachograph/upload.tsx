import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import { CONSOLE_HEADERS, toLogin } from '../../api.ts';
import { useSession } from '../../session.tsx';

interface Upload {
  readonly id: number;
  readonly name: string;
  /** 0 to 1 of the bytes that have been sent */
  readonly progress: number;
  readonly outcome: 'sending' | 'stored' | 'duplicate' | 'rejected';
  readonly detail?: string;
}

interface Result {
  readonly name: string;
  readonly outcome: 'stored' | 'duplicate' | 'rejected';
  readonly problem?: { readonly detail: string };
}

const KINDS = { sending: 'idle', stored: 'good', duplicate: 'warn', rejected: 'bad' } as const;

/** Sends one file. fetch does not report how much has been sent, XMLHttpRequest does. */
function send(file: File, onProgress: (share: number) => void): Promise<readonly Result[]> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append('file', file, file.name);
    const rejected = (detail: string): void => resolve([{ name: file.name, outcome: 'rejected', problem: { detail } }]);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onerror = () => rejected('network');
    request.onload = () => {
      if (request.status === 401) toLogin();
      const body = request.response;
      if (request.status !== 200) rejected(body?.detail ?? body?.title ?? `HTTP ${request.status}`);
      else if (Array.isArray(body.results)) resolve(body.results);
      else resolve([{ name: file.name, outcome: body.duplicate ? 'duplicate' : 'stored' }]);
    };
    request.open('POST', '/v1/drivers/ddd');
    request.responseType = 'json';
    for (const [name, value] of Object.entries(CONSOLE_HEADERS)) request.setRequestHeader(name, value);
    request.send(form);
  });
}

let lastId = 0;

/** Takes files that are dropped or chosen, and sends them one after the other. */
export function UploadArea() {
  const { t } = useSession();
  const queries = useQueryClient();
  const picker = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const change = (id: number, more: Partial<Upload>): void =>
    setUploads((before) => before.map((each) => (each.id === id ? { ...each, ...more } : each)));
  const take = async (files: readonly File[]): Promise<void> => {
    const started = files.map((file) => ({ file, id: ++lastId }));
    const rows = started.map(({ file, id }) => ({ id, name: file.name, progress: 0, outcome: 'sending' as const }));
    setUploads((before) => [...rows, ...before]);
    for (const { file, id } of started) {
      const results = await send(file, (progress) => change(id, { progress }));
      const [first] = results;
      const detail = results
        .flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem.detail}`]))
        .join('; ');
      const outcome = results.find((each) => each.outcome === 'rejected')?.outcome ?? first?.outcome ?? 'rejected';
      const name = results.length > 1 ? `${file.name} (${results.length})` : file.name;
      change(id, { name, progress: 1, outcome, ...(detail !== '' && { detail }) });
    }
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
      {uploads.length > 0 && (
        <ul className="uploads" aria-live="polite">
          {uploads.map(({ id, name, progress, outcome, detail }) => (
            <li key={id}>
              <span>{name}</span>
              {outcome === 'sending' ? (
                <progress value={progress} aria-label={name} />
              ) : (
                <span className={`tag ${KINDS[outcome]}`}>{t(`upload.${outcome}`)}</span>
              )}
              {detail !== undefined && <span className="quiet">{detail}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

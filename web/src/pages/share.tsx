import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { shareLink } from '../bodies.ts';
import { SHARE_PRECISIONS_M } from '../lists.ts';
import { useBodyForm } from '../parts/body-form.ts';
import { Confirm } from '../parts/confirm.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Listing } from '../parts/listing.tsx';
import { columnsOf, DataTable } from '../parts/table.tsx';
import { type Session, useSession } from '../session.tsx';
import { type ShareLink, type ShareLinks, useShareLinks } from './use-share-links.ts';

const route = getRouteApi('/share');

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const HOURS = [4, 24, 72, 168] as const;

export function SharePage() {
  const { t, may } = useSession();
  const { targa } = route.useSearch();
  const links = useShareLinks();
  return (
    <div className="page">
      <h1>{t('share.title')}</h1>
      {may('vehicles:write') && <NewLink targa={targa} links={links} />}
      <Listing query={links.list} items={links.items} empty={t('share.none')}>
        {(items) => <LinkTable links={items} revoke={links.revoke} />}
      </Listing>
    </div>
  );
}

const precisionText = ({ t, number }: Session, meters: number): string =>
  meters === 0 ? t('share.exact') : t('share.about', { km: number(meters / 1_000, 1) });

interface Fields {
  readonly targa: string;
  readonly label: string;
  readonly what: string;
  readonly hours: string;
  readonly precisionM: string;
}

/** The link ends some hours from now; `day`: it shows the last 24 hours and not where the vehicle is. */
function bodyOf({ targa, label, what, hours, precisionM }: Fields) {
  const now = Date.now();
  return {
    targa: targa.trim(),
    until: now + Number(hours) * HOUR_MS,
    precisionM: Number(precisionM),
    ...(label.trim() !== '' && { label: label.trim() }),
    ...(what === 'day' && { from: now - DAY_HOURS * HOUR_MS, to: now }),
  };
}

interface NewLinkProps {
  readonly targa: string | undefined;
  readonly links: Pick<ShareLinks, 'create' | 'url'>;
}

function NewLink({ targa, links: { create, url } }: NewLinkProps) {
  const session = useSession();
  const { t } = session;
  const { field, sends } = useBodyForm({
    schema: shareLink,
    defaultValues: { targa: targa ?? '', label: '', what: 'now', hours: '24', precisionM: '0' },
    toBody: bodyOf,
  });
  return (
    <form className="card send" aria-label={t('share.new')} onSubmit={sends(create.run)}>
      <TextField {...field('targa')} autoComplete="off" label={t('share.vehicle')} />
      <TextField {...field('label')} autoComplete="off" label={t('share.label')} />
      <SelectField {...field('what')} label={t('share.what')}>
        <option value="now">{t('share.live')}</option>
        <option value="day">{t('share.lastDay')}</option>
      </SelectField>
      <SelectField {...field('hours')} label={t('share.until')}>
        {HOURS.map((hours) => (
          <option key={hours} value={hours}>
            {hours > DAY_HOURS ? t('share.days', { n: hours / DAY_HOURS }) : t('share.hours', { n: hours })}
          </option>
        ))}
      </SelectField>
      <SelectField {...field('precisionM')} label={t('share.precision')}>
        {SHARE_PRECISIONS_M.map((meters) => (
          <option key={meters} value={meters}>
            {precisionText(session, meters)}
          </option>
        ))}
      </SelectField>
      <button type="submit" className="primary">
        {t('share.create')}
      </button>
      {create.result}
      {url !== undefined && <Created key={url} url={url} />}
    </form>
  );
}

function Created({ url }: { readonly url: string }) {
  const { t } = useSession();
  const [isCopied, setCopied] = useState(false);
  return (
    <p role="status">
      {t('share.created')}{' '}
      <a href={url} target="_blank" rel="noreferrer">
        {url}
      </a>{' '}
      <button type="button" onClick={() => void navigator.clipboard.writeText(url).then(() => setCopied(true))}>
        {t('share.copy')}
      </button>
      {isCopied && ` ${t('share.copied')}`}
    </p>
  );
}

const column = columnsOf<ShareLink>();

const columns = (session: Session, onAsk: (link: ShareLink) => void) => {
  const { t, time, may } = session;
  return column.columns([
    column.accessor('targa', {
      header: t('share.vehicle'),
      cell: ({ row: { original } }) =>
        original.label === null ? original.targa : `${original.targa} (${original.label})`,
    }),
    column.display({
      id: 'what',
      header: t('share.what'),
      cell: ({ row: { original } }) =>
        original.from === null
          ? t('share.live')
          : t('share.interval', { from: time(original.from), to: time(original.to) }),
    }),
    column.accessor('precisionM', {
      header: t('share.precision'),
      cell: ({ row: { original } }) => precisionText(session, original.precisionM),
    }),
    column.accessor('state', {
      header: t('share.state'),
      cell: ({ row: { original } }) => t(`share.${original.state}`),
    }),
    column.accessor('expiresAt', {
      header: t('share.ends'),
      cell: ({ row: { original } }) => time(original.expiresAt),
    }),
    column.accessor('opened', {
      header: t('share.opened'),
      cell: ({ row: { original } }) => <span title={time(original.openedAt)}>{original.opened}</span>,
    }),
    ...(may('vehicles:write')
      ? [
          column.display({
            id: 'revoke',
            header: t('share.revoke'),
            cell: ({ row: { original } }) =>
              original.state === 'open' && (
                <button
                  type="button"
                  aria-label={`${t('share.revoke')}: ${original.label ?? original.targa}`}
                  onClick={() => onAsk(original)}
                >
                  {t('share.revoke')}
                </button>
              ),
          }),
        ]
      : []),
  ]);
};

interface LinkTableProps {
  readonly links: readonly ShareLink[];
  readonly revoke: ShareLinks['revoke'];
}

function LinkTable({ links, revoke }: LinkTableProps) {
  const session = useSession();
  const [asked, setAsked] = useState<ShareLink>();
  return (
    <>
      {revoke.result}
      <DataTable columns={columns(session, setAsked)} rows={links} rowId={({ id }) => id} />
      {asked !== undefined && (
        <Confirm
          text={session.t('share.confirmRevoke', { targa: asked.targa })}
          onYes={() => {
            setAsked(undefined);
            void revoke.run(asked.id);
          }}
          onNo={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

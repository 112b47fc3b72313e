import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { DEVICE_STATES } from '../lists.ts';
import { Choice, Filters } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { useNow } from '../parts/now.ts';
import { DeviceState } from '../parts/status.tsx';
import { columnsOf, DataTable } from '../parts/table.tsx';
import { type Session, useSession } from '../session.tsx';
import { type DeviceItem, type Devices, useDevices } from './use-devices.ts';

const route = getRouteApi('/devices');

export function DevicesPage() {
  const { t } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/devices' });
  const state = DEVICE_STATES.find((each) => each === search.state);
  const { list, items, register } = useDevices(state);
  return (
    <div className="page">
      <h1>{t('device.title')}</h1>
      <Filters>
        <Choice
          label={t('device.state')}
          values={DEVICE_STATES}
          value={state}
          text={(each) => t(`device.${each}`)}
          onChange={(next) => void navigate({ search: { state: next }, replace: true })}
        />
        <button type="button" onClick={() => void list.refetch()}>
          {t('device.refresh')}
        </button>
        <Link to="/devices/setup">{t('device.setup')}</Link>
      </Filters>
      {register.result}
      <Listing query={list} items={items} empty={t('device.none')}>
        {(devices) => <DeviceTable devices={devices} register={register} />}
      </Listing>
    </div>
  );
}

type Register = Devices['register'];

const column = columnsOf<DeviceItem>();

const columns = ({ t, age, time, may }: Session, now: number, register: Register) =>
  column.columns([
    column.accessor('imei', {
      header: t('vehicle.device'),
      cell: ({ row: { original } }) =>
        original.state === 'unknown' ? (
          original.imei
        ) : (
          <Link to="/devices/$imei" params={{ imei: original.imei }}>
            {original.imei}
          </Link>
        ),
    }),
    column.accessor('name', {
      header: t('device.name'),
      cell: ({ row: { original } }) => original.name ?? t('vehicle.none'),
    }),
    column.accessor('state', {
      header: t('device.state'),
      cell: ({ row: { original } }) => (
        <>
          <DeviceState state={original.state} />{' '}
          {original.state === 'unknown' && may('devices:write') && (
            <button
              type="button"
              disabled={register.isRunning}
              aria-label={`${t('device.register')} ${original.imei}`}
              onClick={() => void register.run(original.imei)}
            >
              {t('device.register')}
            </button>
          )}
        </>
      ),
    }),
    column.accessor('protocol', {
      header: t('device.protocol'),
      cell: ({ row: { original } }) => original.protocol ?? t('vehicle.none'),
    }),
    column.accessor('lastSeenAt', {
      header: t('device.lastSeen'),
      cell: ({ row: { original } }) => <span title={time(original.lastSeenAt)}>{age(original.lastSeenAt, now)}</span>,
    }),
    column.accessor('remote', {
      header: t('device.remote'),
      cell: ({ row: { original } }) => original.remote ?? t('vehicle.none'),
    }),
  ]);

function DeviceTable({ devices, register }: { readonly devices: readonly DeviceItem[]; readonly register: Register }) {
  const session = useSession();
  const now = useNow();
  return <DataTable columns={columns(session, now, register)} rows={devices} rowId={({ imei }) => imei} />;
}

import type { Command, Status } from '../api.ts';
import type { Key } from '../i18n/en.ts';
import { useSession } from '../session.tsx';

/** By shape and text as well as by color. */
const SHAPES: Readonly<Record<Status, string>> = { moving: '▲', idle: '◆', parked: '■', offline: '○', unknown: '?' };

export function VehicleStatus({ status }: { status: Status }) {
  const { t } = useSession();
  return (
    <span className={`tag status-${status}`}>
      <span aria-hidden="true">{SHAPES[status]}</span> {t(`status.${status}`)}
    </span>
  );
}

const KINDS: Readonly<Record<Command['status'], string>> = {
  pending: 'idle',
  sending: 'warn',
  sent: 'warn',
  acknowledged: 'good',
  failed: 'bad',
  expired: 'bad',
  unknown: 'bad',
  cancelled: 'idle',
};

export const commandStatusKey = (status: Command['status']): Key =>
  status === 'cancelled' ? 'command.cancelledStatus' : `command.${status}`;

export function CommandStatus({ status }: { status: Command['status'] }) {
  const { t } = useSession();
  return <span className={`tag ${KINDS[status]}`}>{t(commandStatusKey(status))}</span>;
}

export function DeviceState({ state }: { state: 'online' | 'offline' | 'unknown' }) {
  const { t } = useSession();
  return <span className={`tag ${state === 'online' ? 'good' : ''}`}>{t(`device.${state}`)}</span>;
}

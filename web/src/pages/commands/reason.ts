import type { Session } from '../../session.tsx';

/** Why a command is waiting, in words; the API has codes. */
export function reasonText(t: Session['t'], code: string | undefined): string {
  if (code === undefined) return '';
  if (code.startsWith('behind:')) return t('reason.behind');
  if (code === 'condition:no-fresh-position') return t('reason.no-fresh-position');
  if (code.startsWith('condition:')) return t('reason.condition', { condition: code.slice('condition:'.length) });
  switch (code) {
    case 'device-offline':
    case 'waiting-for-answer':
    case 'not-before':
    case 'gap':
    case 'queue-down':
      return t(`reason.${code}`);
    default:
      return code;
  }
}

const EVENTS = ['enqueued', 'claimed', 'written', 'answered'] as const;

/** An entry of the history; texts of the API and of devices are shown as they are. */
export function eventText(t: Session['t'], reason: string | null): string {
  const known = EVENTS.find((each) => each === reason);
  return known === undefined ? (reason ?? '') : t(`event.${known}`);
}

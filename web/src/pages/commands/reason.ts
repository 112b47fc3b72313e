import type { Session } from '../../session.tsx';

/** Why a command is waiting, in words; the API has codes. */
export function reasonText(t: Session['t'], code: string | undefined): string {
  if (code === undefined) return '';
  if (code.startsWith('behind:')) return t('reason.behind');
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

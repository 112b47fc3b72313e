import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api.ts';
import { wordsOr } from '../../i18n/title.ts';
import type { Session } from '../../session.tsx';

/** Who a command is for. */
export type Recipient = { readonly imei: string } | { readonly group: string };

export type CommandType = NonNullable<ReturnType<typeof useTypes>['data']>['items'][number];

/** Commands that the recipient takes, with their parameters. */
export function useTypes(recipient: Recipient) {
  const isKnown = ('imei' in recipient ? recipient.imei : recipient.group) !== '';
  return useQuery({
    queryKey: ['command-types', recipient],
    queryFn: () => answerOf(api.GET('/v1/gprsCommands/types', { params: { query: recipient } })),
    enabled: isKnown,
    retry: false,
  });
}

/** In the language of the user where the command is a common one, otherwise as its protocol describes it. */
export function typeTitle(t: Session['t'], { type, title }: Pick<CommandType, 'type' | 'title'>): string {
  return wordsOr(`type.${type}`, title, t);
}

/** Restart, factory settings, firmware, immobilizer, listening in: unmistakable wherever they stand in a command. */
const ANYWHERE = [
  '(?<!p)re(?:set|boot|start)|(?:power|pwr) ?off|shut ?down|turn ?off',
  'factory|defaultcfg|erase|del(?:ete)?\\s?records|clear(?:flash|dtc|codes|log|mem|data|all|rec)',
  // the cabin is heard, or the password is another one
  'monitor|listen|passw(?:or)?d|pwd',
  'firmware|fota|upgrade|fw(?:update|upd|dl|upgrade)',
  'immob|relay|(?:set|dig|d)out|hfyd|dyd|(?:cut|stop)\\s?(?:off\\s?)?(?:oil|engine|fuel)',
  // another server or APN
  'gprson|(?:admin|set|switch)ip|set(?:host|gprs|apn|server|connection)|econnect',
  '(?:serv(?:er|ip|erip)?|svr)\\d?\\s{0,4}[,=:;* ]|apn[^#?]{0,24}[,=:;* ]|host\\d?\\s{0,4}[,=:;* ]',
].join('|');

/** Short words, which could be the end of another one. */
const WHOLE_WORDS = `(?:${[
  'out(?:put)?s?\\d{0,2}(?![a-z])|(?:ip|domain|dns)\\d?\\s{0,4}[,=:*]',
  '(?:update|ota|clear|format|delete|record(?:ing)?)(?![a-z])',
  // a call to a number, which then hears the cabin
  'call\\s{0,4}[,= ]\\s{0,4}(?:\\d,)?\\+?\\d',
].join('|')})`;

/**
 * Words by which vendors of text commands restart a device, reset it, load firmware, move it to another server or APN,
 * switch outputs, delete what it has recorded, listen in, and change its password. `head`: a regular expression (in
 * Latin-1) of the bytes before the text in a frame of the protocol; the text that follows it begins a word.
 */
export const privilegedWords = (head?: string): readonly RegExp[] => [
  new RegExp(ANYWHERE, 'i'),
  new RegExp(`(?:^|[^a-z]${head === undefined ? '' : `|${head}`})${WHOLE_WORDS}`, 'is'),
];

/** Words by which vendors of text commands restart a device, reset it, and load firmware. */
export const SESSION_ENDING_WORDS =
  /cpureset|(?:^|[^a-z])(?:re(?:set|boot|start)|factory|defaultcfg|fota|fw(?:update|upgrade))(?![a-z])/i;

/** Every message: of a protocol whose commands are whole messages, of which the effect is not known from the bytes. */
export const EVERY_MESSAGE: readonly RegExp[] = [/^/];

/** Restart, factory settings, firmware, immobilizer: unmistakable wherever they stand in a command. */
const ANYWHERE = [
  're(?:set|boot|start)|power ?off|shut ?down|turn ?off',
  'factory|defaultcfg|erase|del(?:ete)?\\s?records',
  'firmware|fota|upgrade|fw(?:update|upd|dl|upgrade)',
  'immob|relay|(?:set|dig|d)out|hfyd|dyd|(?:cut|stop)\\s?(?:off\\s?)?(?:oil|engine|fuel)',
  // another server or APN
  'gprson|(?:admin|set|switch)ip|set(?:host|gprs|apn|server|connection)|econnect',
  '(?:serv(?:er|ip|erip)?|svr)\\d?\\s{0,4}[,=:;* ]|apn[^#?]{0,24}[,=:;* ]|host\\d?\\s{0,4}[,=:;* ]',
].join('|');

/** Short words, which could be the end of another one. */
const WHOLE_WORDS = '(?:out(?:put)?s?\\d{0,2}(?![a-z])|(?:ip|domain|dns)\\d?\\s{0,4}[,=:*]|(?:update|ota)(?![a-z]))';

/**
 * Words by which vendors of text commands restart a device, reset it, load firmware, move it to another server or APN,
 * and switch outputs. `head`: a regular expression (in Latin-1) of the bytes before the text in a frame of the protocol;
 * the text that follows it begins a word.
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

import type {
  CardFile,
  CardSection,
  SignatureResult,
  SignatureStatus,
  TachographFile,
  VehicleUnitFile,
  VuDay,
} from '../records.ts';

export interface TimelineSource {
  readonly fileId: string;
  readonly file: TachographFile;
  /** Seconds, if it is known: the newest day of a card continues until then. */
  readonly downloadedAt?: number;
  /** Its signature checks; without them nothing of it is verified. */
  readonly signatures?: readonly SignatureResult[];
  /** A person has admitted it although signatures are invalid. */
  readonly isAdmitted?: boolean;
}

/** Ascending: where sources differ, the one that is trusted more counts. */
const VERDICTS: readonly SignatureStatus[] = ['invalid', 'unsigned', 'unverifiable', 'valid'];

/** The least trusted of some verdicts; without any, the part is unsigned. */
const least = (verdicts: readonly SignatureStatus[]): SignatureStatus =>
  VERDICTS[Math.min(...verdicts.map((verdict) => VERDICTS.indexOf(verdict)))] ?? 'unsigned';

const IDENTIFICATION = '0520';
const ACTIVITIES = '0504';
/** Lists of a card by the file that they are in. */
const LISTS = {
  '0502': ['events'],
  '0503': ['faults'],
  '0505': ['vehiclesUsed'],
  '0506': ['places'],
  '0522': ['specificConditions'],
  '0523': ['vehicleUnitsUsed'],
  '0524': ['gnss'],
  '0526': ['placeAuthentications'],
  '0527': ['gnssAuthentications'],
  '0528': ['borderCrossings'],
  '0529': ['loadUnloads'],
  '0530': ['loadTypes'],
} as const satisfies Readonly<Record<string, readonly (keyof CardSection)[]>>;

type Signatures = readonly SignatureResult[];
type SectionName = 'gen1' | 'gen2';

const verdictIn = (signatures: Signatures, section: SectionName, fid: string): SignatureStatus =>
  least(signatures.filter(({ file }) => file === `${section}/${fid}`).map(({ verdict }) => verdict));

/** Of one application of a card: its holder and its activities together, as a forger may take one of them from elsewhere. */
const sectionVerdict = (signatures: Signatures, section: SectionName): SignatureStatus =>
  least([IDENTIFICATION, ACTIVITIES].map((fid) => verdictIn(signatures, section, fid)));

/** A part with an invalid signature contributes nothing, unless a person has admitted its file. */
const contributes = (verdict: SignatureStatus, isAdmitted: boolean): boolean => verdict !== 'invalid' || isAdmitted;

export interface Trust {
  readonly verdict: SignatureStatus;
  readonly contributes: boolean;
  /** 0 to 3; where sources differ, the one with the highest trust counts. */
  readonly rank: number;
}

/** A file without the parts that contribute nothing, and how far each of its parts is trusted. */
export interface TrustedSource extends TimelineSource {
  /** The file with all of its parts. */
  readonly original: TimelineSource['file'];
  trustIn(part: { readonly section: SectionName } | { readonly date: string }): Trust;
}

/** Without signatures nothing of a source has been verified: it is unsigned. */
export function trustedPart(source: TimelineSource): TrustedSource {
  const { signatures, isAdmitted = false, file } = source;
  if (signatures === undefined) return { ...source, original: file, trustIn: () => trustOf('unsigned', false) };
  const dayVerdict = verdictOfDays(signatures);
  const trusted =
    file.kind === 'vehicle-unit'
      ? trustedUnit(file, signatures, dayVerdict, isAdmitted)
      : trustedCard(file, signatures, isAdmitted);
  return {
    ...source,
    file: trusted,
    original: file,
    trustIn: (part) =>
      trustOf('date' in part ? dayVerdict(part.date) : sectionVerdict(signatures, part.section), isAdmitted),
  };
}

const trustOf = (verdict: SignatureStatus, isAdmitted: boolean): Trust => ({
  verdict,
  contributes: contributes(verdict, isAdmitted),
  rank: VERDICTS.indexOf(verdict),
});

function trustedCard(card: CardFile, signatures: Signatures, isAdmitted: boolean): CardFile {
  if (card.kind !== 'driver-card') return card;
  const { gen1, gen2, ...rest } = card;
  const first = gen1 && trustedSection(gen1, 'gen1', signatures, isAdmitted);
  const second = gen2 && trustedSection(gen2, 'gen2', signatures, isAdmitted);
  return { ...rest, ...(first && { gen1: first }), ...(second && { gen2: second }) };
}

/** A list that is trusted less than the activities is left out: it could excuse what they prove. */
function trustedSection(
  section: CardSection,
  name: SectionName,
  signatures: Signatures,
  isAdmitted: boolean,
): CardSection | undefined {
  const own = sectionVerdict(signatures, name);
  if (!contributes(own, isAdmitted)) return undefined;
  const left = Object.entries(LISTS).flatMap(([fid, lists]) => {
    const isLess = VERDICTS.indexOf(verdictIn(signatures, name, fid)) < VERDICTS.indexOf(own);
    return isLess && section.present.includes(fid) && !isAdmitted ? lists : [];
  });
  return { ...section, ...Object.fromEntries(left.map((list) => [list, []])) };
}

const DAY_BLOCKS = /^76[023]2$/;
const EVENT_BLOCKS = /^76[023]3$/;

/** By date; a day that no signature names is as good as the worst block. */
function verdictOfDays(signatures: Signatures): (date: string) => SignatureStatus {
  const blocks = signatures.filter(({ file }) => !file.includes('/'));
  const all = least(blocks.map(({ verdict }) => verdict));
  const dates = new Map<string, SignatureStatus>();
  for (const { file, date, verdict } of blocks) {
    if (!DAY_BLOCKS.test(file) || date === undefined) continue;
    dates.set(date, least([verdict, dates.get(date) ?? 'valid']));
  }
  return (date) => dates.get(date) ?? all;
}

function trustedUnit(
  unit: VehicleUnitFile,
  signatures: Signatures,
  dayVerdict: (date: string) => SignatureStatus,
  isAdmitted: boolean,
): VehicleUnitFile {
  const isTrusted = ({ date }: VuDay): boolean => contributes(dayVerdict(date), isAdmitted);
  const events = least(signatures.filter(({ file }) => EVENT_BLOCKS.test(file)).map(({ verdict }) => verdict));
  const { card, ...rest } = unit;
  return {
    ...rest,
    days: unit.days.filter(isTrusted),
    incompleteDays: unit.incompleteDays.filter(isTrusted),
    events: contributes(events, isAdmitted) ? unit.events : [],
    ...(card && { card: trustedCard(card, signatures, isAdmitted) }),
  };
}

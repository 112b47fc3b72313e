import { render } from '../../../documents/index.ts';
import type { Format, Report } from '../../../documents/report.ts';
import { type DriverIdentity, parseTachograph, type Roots, verifyTachograph } from '../../../tachograph/index.ts';
import { driverDays, type KeptDay, packDay } from '../../../tachograph/reports/driver-days.ts';
import { type FileFacts, factsOf } from '../../../tachograph/reports/file-facts.ts';

export interface StoredBytes {
  readonly fileId: string;
  readonly bytes: Uint8Array;
  /** seconds, where it is known */
  readonly downloadedAt: number | null;
}

export interface AnalysedDay {
  readonly date: string;
  readonly kept: KeptDay;
}

/** What a thread of its own does for the API. Each takes and gives what can be sent between threads. */
export const jobs = {
  /** `undefined`: no download */
  async read({ bytes }: { readonly bytes: Uint8Array }, roots: Roots): Promise<FileFacts | undefined> {
    const file = parseTachograph(bytes);
    return file === undefined ? undefined : factsOf(file, verifyTachograph(bytes, roots));
  },
  /** a driver's days over their files; `drivers` empty: of the card's own driver */
  async analyse(
    question: { readonly files: readonly StoredBytes[]; readonly drivers: readonly DriverIdentity[] },
    roots: Roots,
  ): Promise<AnalysedDay[]> {
    const sources = question.files.flatMap(({ fileId, bytes, downloadedAt }) => {
      const file = parseTachograph(bytes);
      return file === undefined ? [] : [{ fileId, file, ...(downloadedAt === null ? {} : { downloadedAt }) }];
    });
    const drivers =
      question.drivers.length > 0
        ? question.drivers
        : sources.flatMap(({ file }) => factsOf(file, { blocks: [] }).drivers).slice(0, 1);
    void roots;
    return driverDays(sources, drivers).map((day) => ({ date: day.date, kept: packDay(day) }));
  },
  async render({ report, format }: { readonly report: Report; readonly format: Format }): Promise<Uint8Array> {
    return render(report, format);
  },
};

export type Jobs = typeof jobs;
export type JobName = keyof Jobs;
export type Question<N extends JobName> = Parameters<Jobs[N]>[0];
export type Answer<N extends JobName> = Awaited<ReturnType<Jobs[N]>>;

export interface Order {
  readonly id: number;
  readonly name: JobName;
  readonly question: unknown;
}

/** `problem` never holds what a file says. */
export type Delivery =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly problem: string };

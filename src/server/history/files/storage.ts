/** A file as the manifest describes it. */
export interface StoredFile {
  /** relative to HISTORY_URL */
  readonly path: string;
  readonly bytes: number;
}

/** The rows that a reader needs of files; times are epoch ms, both ends included. */
export interface Wanted {
  readonly deviceId: number;
  readonly from: number;
  readonly to: number;
}

export interface Measured {
  readonly bytes: number;
  /** hex */
  readonly sha256: string;
}

/** Where the files of the history are: a folder, or a bucket of an S3 store. Files never change. */
export interface Storage {
  /** Where a new file is written: a path of this machine. */
  prepare(path: string): Promise<string>;
  /** Stores what has been written there; it survives a crash when this resolves. */
  persist(path: string): Promise<Measured>;
  /** Forgets what has been written there and was not stored. */
  discard(path: string): Promise<void>;
  /** Runs the work on paths of this machine from which the rows of a device, or all rows, can be read. */
  read<T>(
    files: readonly StoredFile[],
    wanted: Wanted | 'all',
    work: (paths: readonly string[]) => Promise<T>,
  ): Promise<T>;
  /** Runs the work on a file as it is stored now. */
  readAgain<T>(path: string, work: (local: string, measured: Measured) => Promise<T>): Promise<T>;
  /** A file that does not exist is no error. */
  remove(path: string): Promise<void>;
  close(): Promise<void>;
}

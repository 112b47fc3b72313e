/** A flag that work is pending. Setting it during the work leads to another run. */
export class Noted {
  #isNoted = true;

  note(): void {
    this.#isNoted = true;
  }

  /** Runs the work if the flag is set; sets it again if the work returns true (more to do) or fails. */
  async take(work: () => Promise<boolean>): Promise<void> {
    if (!this.#isNoted) return;
    this.#isNoted = false;
    let isMore = true;
    try {
      isMore = await work();
    } finally {
      if (isMore) this.#isNoted = true;
    }
  }
}

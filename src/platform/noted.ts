/** Whether there may be something to do. What is noted while the work runs is not forgotten when it ends. */
export class Noted {
  #isNoted = true;

  note(): void {
    this.#isNoted = true;
  }

  /** Does the work if something was noted; once more the next time if it says that there is more, or fails. */
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

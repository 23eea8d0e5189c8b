/** A gate in the pipeline: requests wait while it is closed. */
export class Gate {
  #open: Promise<void> | undefined;
  #release: () => void = () => undefined;
  #arrived: () => void = () => undefined;

  /** For `phases`: holds a request while the gate is closed. */
  readonly pass = (): Promise<void> | void => {
    this.#arrived();
    return this.#open;
  };

  /** Closes the gate; the promise resolves when the next request waits at it. */
  close(): Promise<void> {
    this.#open = new Promise((resolve) => {
      this.#release = resolve;
    });
    return new Promise((resolve) => {
      this.#arrived = resolve;
    });
  }

  /** Releases the waiting requests and lets later ones pass. */
  open(): void {
    this.#release();
    this.#open = undefined;
  }
}

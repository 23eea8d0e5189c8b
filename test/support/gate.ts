/** A gate in the hall: while it is closed, requests wait at it. */
export class Gate {
  #open: Promise<void> | undefined;
  #letThrough: () => void = () => undefined;
  #arrived: () => void = () => undefined;

  /** For `phases`: holds a request while the gate is closed. */
  readonly pass = (): Promise<void> | void => {
    this.#arrived();
    return this.#open;
  };

  /** Closes the gate; the promise is kept when the next request stands at it. */
  close(): Promise<void> {
    this.#open = new Promise((resolve) => {
      this.#letThrough = resolve;
    });
    return new Promise((resolve) => {
      this.#arrived = resolve;
    });
  }

  /** Lets everyone through who waits, and everyone after them. */
  open(): void {
    this.#letThrough();
    this.#open = undefined;
  }
}

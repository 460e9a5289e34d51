export interface Closing {
  add(close: () => unknown): void
  /** Closes everything once, last opened first. */
  close(): Promise<void>
}

/** Collects what is to be closed. */
export function closingStack(): Closing {
  const closers: (() => unknown)[] = []
  return {
    add: (close) => void closers.push(close),
    async close() {
      for (let close = closers.pop(); close; close = closers.pop()) await close()
    },
  }
}

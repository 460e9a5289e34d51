export interface Closing {
  add(close: () => unknown): void
  /** Closes everything once, last opened first. */
  close(): Promise<void>
}

/** Collects what is to be closed. What cannot be closed keeps nothing else open. */
export function closingStack(): Closing {
  const closers: (() => unknown)[] = []
  return {
    add: (close) => void closers.push(close),
    async close() {
      const errors: unknown[] = []
      for (let close = closers.pop(); close; close = closers.pop()) {
        try {
          await close()
        } catch (error) {
          errors.push(error)
        }
      }
      if (errors.length > 0) throw errors[0]
    },
  }
}

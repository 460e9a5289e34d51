/** Work of one kind within a process. */
export interface Turns<T> {
  /**
   * Does this work once all that was asked for before has ended. Whoever asks for the same while it has
   * not begun shares it.
   */
  take(name: string, work: () => Promise<T>): Promise<T>
}

export function createTurns<T>(): Turns<T> {
  const notBegun = new Map<string, Promise<T>>()
  let last: Promise<unknown> = Promise.resolve()
  return {
    take(name, work) {
      const shared = notBegun.get(name)
      if (shared) return shared
      const own = last.then(() => {
        notBegun.delete(name)
        return work()
      })
      notBegun.set(name, own)
      last = own.catch(() => {})
      return own
    },
  }
}

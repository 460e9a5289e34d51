export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Lets so much work go on at once; the rest waits, first come first served. */
export function openTurns(most: number): TakeTurn {
  const waiting: (() => void)[] = []
  let free = most
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

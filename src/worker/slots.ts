/** Slots for work of one kind; who waits for one gets it before who only tries. */
export interface Slots {
  /** Takes a slot if one is free. */
  tryTake(): boolean
  /** Waits for a slot, in the order of the calls. */
  take(): Promise<void>
  release(): void
}

export function createSlots(count: number): Slots {
  let free = count
  const waiting: (() => void)[] = []

  function tryTake(): boolean {
    if (free === 0) return false
    free -= 1
    return true
  }

  return {
    tryTake,
    async take() {
      if (!tryTake()) await new Promise<void>((resolve) => waiting.push(resolve))
    },
    release() {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    },
  }
}

/** Slots for work of one kind; callers that wait come before callers that only try. */
export interface Slots {
  /** Takes a slot if one is free. */
  tryTake(): boolean
  /** Waits for a slot, in the order of the calls; false once the caller must stop waiting. */
  take(mayWait: () => boolean): Promise<boolean>
  release(): void
}

/** Milliseconds between two checks of whether a waiting caller may go on waiting. */
const lookEvery = 1000

export function createSlots(count: number): Slots {
  let free = count
  const waiting = new Set<() => void>()

  function tryTake(): boolean {
    if (free === 0) return false
    free -= 1
    return true
  }

  return {
    tryTake,
    async take(mayWait) {
      if (tryTake()) return true
      return new Promise<boolean>((resolve) => {
        const timer = setInterval(() => {
          if (!mayWait()) end(false)
        }, lookEvery)
        const taken = () => end(true)
        waiting.add(taken)

        function end(isTaken: boolean): void {
          clearInterval(timer)
          waiting.delete(taken)
          resolve(isTaken)
        }
      })
    },
    release() {
      const [next] = waiting
      if (next) next()
      else free += 1
    },
  }
}

/** The owner of some work: pushes and calls alternate, and so do the repositories or addresses of each. */
export interface Turn {
  of: 'pushes' | 'calls'
  /** The repository, or the address. */
  key: string
}

export type TakeTurn = <T>(turn: Turn, work: () => Promise<T>) => Promise<T>

interface Most {
  /** How much work runs at once. */
  of_all: number
  /** How much work runs at once for one key. */
  of_one?: number
}

/**
 * Limits how much work runs at once. The rest waits in turn: keys with little work do not wait longer
 * because others have much.
 */
export function openTurns({ of_all, of_one = of_all }: Most): TakeTurn {
  const waiting = new Map<Turn['of'], Map<string, (() => void)[]>>()
  const going = new Map<string, number>()
  let free = of_all

  const goingFor = (key: string) => going.get(key) ?? 0

  function begin(key: string): void {
    free -= 1
    going.set(key, goingFor(key) + 1)
  }

  function end(key: string): void {
    free += 1
    if (goingFor(key) > 1) going.set(key, goingFor(key) - 1)
    else going.delete(key)
  }

  function wait({ of, key }: Turn): Promise<void> {
    const keys = memberOf(waiting, of, () => new Map<string, (() => void)[]>())
    return new Promise((resolve) =>
      memberOf(keys, key, () => []).push(() => {
        begin(key)
        resolve()
      }),
    )
  }

  return async (turn, work) => {
    if (free > 0 && goingFor(turn.key) < of_one) begin(turn.key)
    else await wait(turn)
    try {
      return await work()
    } finally {
      end(turn.key)
      const next = inTurn(waiting, (keys) =>
        inTurn(keys, (begins, key) => (goingFor(key) < of_one ? begins.shift() : undefined)),
      )
      next?.()
    }
  }
}

function memberOf<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const member = map.get(key) ?? create()
  map.set(key, member)
  return member
}

/** Takes from the first member with something to take, then moves it to the end, or removes it if empty. */
function inTurn<K, V extends { length: number } | { size: number }, T>(
  members: Map<K, V>,
  take: (member: V, key: K) => T | undefined,
): T | undefined {
  for (const [key, member] of members) {
    const taken = take(member, key)
    if (taken === undefined) continue
    members.delete(key)
    const left = 'size' in member ? member.size : member.length
    if (left > 0) members.set(key, member)
    return taken
  }
  return undefined
}

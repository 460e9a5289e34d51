/** Whose work it is: pushes take turns with calls, and each repository or address with its like. */
export interface Turn {
  of: 'pushes' | 'calls'
  /** The repository, or the address. */
  key: string
}

export type TakeTurn = <T>(turn: Turn, work: () => Promise<T>) => Promise<T>

/** Lets so much work go on at once. The rest waits, and whoever has less of it does not wait longer. */
export function openTurns(most: number): TakeTurn {
  const waiting = new Map<Turn['of'], Map<string, (() => void)[]>>()
  let free = most

  function wait({ of, key }: Turn): Promise<void> {
    const keys = memberOf(waiting, of, () => new Map<string, (() => void)[]>())
    return new Promise((resolve) => memberOf(keys, key, () => []).push(resolve))
  }

  return async (turn, work) => {
    if (free > 0) free -= 1
    else await wait(turn)
    try {
      return await work()
    } finally {
      const next = inTurn(waiting, (keys) => inTurn(keys, (resolves) => resolves.shift()))
      if (next) next()
      else free += 1
    }
  }
}

function memberOf<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const member = map.get(key) ?? create()
  map.set(key, member)
  return member
}

/** Takes something of the first member, which then is the last one, or gone if nothing is left of it. */
function inTurn<K, V extends { length: number } | { size: number }, T>(
  members: Map<K, V>,
  take: (member: V) => T,
): T | undefined {
  const [first] = members
  if (!first) return undefined
  const [key, member] = first
  const taken = take(member)
  members.delete(key)
  const left = 'size' in member ? member.size : member.length
  if (left > 0) members.set(key, member)
  return taken
}

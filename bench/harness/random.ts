/** Random numbers that are the same in every run. */
export interface Random {
  /** From 0, below 1. */
  next(): number
  /** From 0, below the limit. */
  whole(limit: number): number
  one<T>(of: readonly [T, ...T[]]): T
  /** Normally distributed around 0, with a deviation of 1. */
  normal(): number
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    whole,
    one: (of) => of[whole(of.length)] ?? of[0],
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  }
}
